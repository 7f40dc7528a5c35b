#include "driver/lab_flags.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/check.h"
#include "driver/check_request.h"
#include "driver/child.h"

namespace perflab {
namespace {

// They belong before the --, to the driver, or make a lab measure nothing.
constexpr std::array not_for_labs = {"--run-dir", "--invocation", "--resume", "--out",  "--check",
                                     "--profile", "--describe",   "--judge",  "--help", "-h"};

}  // namespace

void check_lab_flags(const CampaignRequest& request) {
  if (request.lab_flags.empty()) return;
  for (const std::string& flag : request.lab_flags) {
    const std::string name = flag.substr(0, flag.find('='));
    if (std::find(not_for_labs.begin(), not_for_labs.end(), name) != not_for_labs.end())
      fail(
          ErrorKind::usage,
          "'{}' after --: that is not for a lab within a run; want what a lab measures, as --experiment NAME",
          name);
  }
  for (const Lab& lab : request.labs) {
    std::vector<std::string> words = {lab.program.string(),     "--check",   "--profile",
                                      request.profile_argument, "--devices", request.devices};
    const auto add = [&](const std::vector<std::string>& more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    add(words_of(request.device_flags));
    for (const std::string& set : sets_for(lab, request.set)) add({"--set", set});
    add(request.lab_flags);
    if (run_child(words).exit_code != exit_codes::ok)
      fail(ErrorKind::usage, "lab {} refuses '{}' after --, as it says above; see {} --help", lab.id,
           fmt::join(request.lab_flags, " "), lab.program.string());
  }
}

void note_idle_flags(const CampaignRequest& request) {
  if (!request.device_flags.link.empty() && request.device_flags.cpu_devices < 2)
    fmt::print(stderr,
               "perflab run: --link {} changes nothing: it joins cpu devices, and there is one; add "
               "--cpu-devices 2\n",
               request.device_flags.link);
}

}  // namespace perflab
