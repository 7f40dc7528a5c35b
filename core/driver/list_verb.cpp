#include <fmt/format.h>

#include "device/runtime.h"
#include "driver/ask.h"
#include "driver/labs.h"
#include "driver/verbs.h"

namespace perflab {
namespace {

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// Claims with several parts have several rows.
std::size_t claims_in(const Json& description) {
  std::vector<std::string> ids;
  for (const Json& claim : description.at("claims").array()) {
    const std::string& id = claim.at("claim_id").text();
    if (ids.empty() || ids.back() != id) ids.push_back(id);
  }
  return ids.size();
}

void print_lab(const Lab& lab) {
  const Json& description = lab.description;
  fmt::print("{}  {}\n", lab.id, question_of(lab));
  std::size_t visible = 0;
  for (const Json& experiment : description.at("experiments").array()) {
    if (experiment.at("hidden").boolean()) continue;
    fmt::print("    {:<12} {}\n", experiment.at("name").text(), experiment.at("question").text());
    ++visible;
  }
  const std::vector<std::string> faults = fault_texts(lab);
  for (std::size_t i = 0; i < faults.size(); ++i) fmt::print("    --fault {:<4} {}\n", i + 1, faults[i]);
  const std::size_t asked = questions_of(lab).size();
  fmt::print("    {}, {}, {}{}\n", counted(visible, "experiment"), counted(claims_in(description), "claim"),
             counted(fault_texts(lab).size(), "planted fault"),
             asked == 0 ? "" : ", " + counted(asked, "question") + " to predict");
}

}  // namespace

int list_verb(const Options& options) {
  const std::vector<Lab> labs = find_labs(labs_folder());
  if (options.json) {
    Json::Array array;
    for (const Lab& lab : labs) array.push_back(lab.description);
    fmt::print("{}", Json(Json::Object{{"labs", array}}).dump());
    return 0;
  }
  for (const Lab& lab : labs) print_lab(lab);
  if (labs.empty()) fmt::print("no labs are built in {}\n", labs_folder().string());
  else fmt::print("\nMeasure one with: perflab run {}\n", labs.front().id.substr(0, 2));
  if (const std::string& reason = Runtime::current().no_cuda_reason(); !reason.empty())
    fmt::print("{}\n", reason);
  return 0;
}

}  // namespace perflab
