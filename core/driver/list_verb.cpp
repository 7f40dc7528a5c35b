#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

constexpr std::size_t columns = 100;

std::size_t characters(std::string_view text) {  // not bytes
  return std::size_t(std::count_if(text.begin(), text.end(),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Whole words, at most so many columns a line, each line indented.
void print_wrapped(const std::string& indent, const std::string& text) {
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!line.empty() && indent.size() + characters(line) + 1 + characters(word) > columns) {
      fmt::print("{}{}\n", indent, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  fmt::print("{}{}\n", indent, line);
}

// A claim in several parts has its name once and each part's statement.
void print_claims(const Lab& lab) {
  std::string last;
  for (const Json& claim : lab.description.at("claims").array()) {
    const std::string &id = claim.at("claim_id").text(), &part = claim.at("part").text();
    if (id != last) fmt::print("    claim {} ({})\n", id, claim.at("type").text());
    last = id;
    print_wrapped("        ", (part.empty() ? "" : part + ": ") + claim.at("statement").text());
  }
}

void print_lab(const Lab& lab, bool with_claims) {
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
  if (with_claims) print_claims(lab);
  const std::size_t asked = questions_of(lab).size();
  fmt::print("    {}, {}, {}{}\n", counted(visible, "experiment"), counted(claims_in(description), "claim"),
             counted(fault_texts(lab).size(), "planted fault"),
             asked == 0 ? "" : ", " + counted(asked, "question") + " to predict");
}

}  // namespace

int list_verb(const Options& options) {
  const std::vector<Lab> all = find_labs(labs_folder());
  const std::vector<Lab> labs = all.empty() ? all : choose_labs(all, options.labs);
  if (options.json) {
    Json::Array array;
    for (const Lab& lab : labs) array.push_back(lab.description);
    fmt::print("{}", Json(Json::Object{{"labs", array}}).dump());
    return 0;
  }
  for (const Lab& lab : labs) print_lab(lab, !options.labs.empty());
  if (labs.empty()) fmt::print("no labs are built in {}\n", labs_folder().string());
  else if (const std::string one = labs.front().id.substr(0, 2); options.labs.empty())
    fmt::print("\nIts claims, word for word: perflab list {0}. Measure it: perflab run {0}\n", one);
  else fmt::print("\nMeasure it: perflab run {}\n", one);
  if (const std::string& reason = Runtime::current().no_cuda_reason(); !reason.empty())
    fmt::print("{}\n", reason);
  return 0;
}

}  // namespace perflab
