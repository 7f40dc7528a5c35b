#include <fmt/format.h>

#include <array>

#include "base/units.h"
#include "driver/doctor/rules.h"

namespace perflab {
namespace {

// Without the advice at its end, which is the fix's; and with the folder that was asked for.
std::string problem_of(const ResultsFolder& results) {
  std::string text = results.problem;
  for (const char* advice : {"; free some space", "; choose another"})
    text = text.substr(0, text.find(advice));
  const std::string folder = fmt::format("'{}'", results.folder.string());
  return text.find(folder) == std::string::npos ? folder + " cannot be made: " + text : text;
}

Finding results(const DoctorFacts& facts) {
  const ResultsFolder& results = facts.results;
  if (!results.problem.empty())
    return {Health::fail, problem_of(results),
            results.full ? "free some space, or choose another folder: --out DIR"
                         : "choose a folder that you can write: --out DIR",
            ""};
  const auto free_bytes = facts.environment.number("results_free_bytes");
  return pass(fmt::format("{}, {} free", results.folder.string(),
                          free_bytes ? format_bytes(*free_bytes) : std::string("unknown room")));
}

Finding disk(const DoctorFacts& facts) {
  const std::string name = facts.environment.text("results_filesystem");
  if (name.empty()) return unknown("filesystem of the results folder not told here");
  switch (storage_of(name)) {
    case Storage::disk:
      return pass(name);
    case Storage::memory:
      return warn(name + ": memory, not a disk", "choose a folder on a disk: --out DIR",
                  "results are lost at the next start, and this says nothing of disks");
    case Storage::layered:
      return warn(name + ": a container's layer", "mount a folder of the host and use it: --out DIR",
                  "results go with the container; a first write copies the file");
    case Storage::shared:
      return warn(name + ": another system's or another machine's files",
                  "choose a folder on a local disk: --out DIR",
                  "refused for claims about disks: caches and latency are the other side's");
    case Storage::unknown:
      break;
  }
  return unknown(name, "not known here: claims about disks are not to be trusted");
}

Finding shm(const DoctorFacts& facts) {
  const auto bytes = facts.environment.number("dev_shm_bytes");
  if (!bytes) return unknown("/dev/shm is not there, or does not tell its size");
  const std::string value = format_bytes(*bytes) + " in /dev/shm";
  if (!facts.environment.warns("dev_shm_bytes")) return pass(value);
  return warn(value, "start the container with --shm-size=1g, or with --ipc=host",
              "MPI and PyTorch's loaders exchange data through it and die when it is full");
}

Finding locale_of(const DoctorFacts& facts) {
  const std::string name = facts.environment.text("locale"),
                    sign = facts.environment.text("locale_decimal_sign");
  if (name.empty()) return unknown("not told here");
  const std::string value = sign == "," ? name + ", decimal comma: harmless, files always hold points" : name;
  if (!facts.environment.warns("locale")) return pass(value);
  return warn(value + ", not UTF-8", "export LC_ALL=C.UTF-8",
              "only the terminal's text suffers; files are always UTF-8");
}

constexpr std::array checks = {Check{"results", "Results", results}, Check{"disk", "Results", disk},
                               Check{"shm", "Results", shm}, Check{"locale", "Results", locale_of}};

}  // namespace

std::span<const Check> folder_checks() { return checks; }

}  // namespace perflab
