#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>

#include "bench/build_info.h"
#include "driver/doctor/doctor.h"

namespace perflab {
namespace {

constexpr std::size_t width = 100, indent = 24;

// ASCII only: a terminal of any locale shows it. Names of folders and devices may hold anything.
std::string ascii(const std::string& text) {
  std::string plain;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) plain += c;
    else if ((byte & 0xC0) != 0x80) plain += '?';  // once per character
  }
  return plain;
}

// Text from column `at` on, broken at blanks; following lines are indented.
std::string wrapped(const std::string& text, std::size_t at, std::size_t following) {
  std::string lines;
  std::string rest = ascii(text);
  std::size_t room = width - at;
  while (rest.size() > room) {
    std::size_t cut = rest.rfind(' ', room);
    if (cut == std::string::npos || cut == 0) cut = rest.find(' ', room);  // one long word stays whole
    if (cut == std::string::npos) break;
    lines += rest.substr(0, cut) + "\n" + std::string(following, ' ');
    rest.erase(0, cut + 1);
    room = width - following;
  }
  return lines + rest + "\n";
}

std::string line_of(const Judged& one) {
  const Finding& finding = one.finding;
  std::string text = fmt::format("  {:<9}{:<13}", health_text(finding.health), one.check->id);
  text += wrapped(finding.value, indent, indent);
  const auto add = [&](const char* what, const std::string& words) {
    if (!words.empty()) text += std::string(indent, ' ') + what + wrapped(words, indent + 6, indent + 6);
  };
  add("why:  ", finding.health == Health::pass ? "" : finding.note);
  add("fix:  ", finding.fix);
  return text;
}

std::string ids(const std::vector<Judged>& judged, const std::function<bool(const Judged&)>& wanted) {
  std::vector<std::string> list;
  for (const Judged& one : judged)
    if (wanted(one)) list.push_back(one.check->id);
  return fmt::format("{}", fmt::join(list, ", "));
}

// What to change, in the order in which it matters.
std::string summary(const std::vector<Judged>& judged) {
  std::map<Health, int> counts;
  for (const Judged& one : judged) ++counts[one.finding.health];
  std::string text = fmt::format("{} PASS, {} WARN, {} UNKNOWN, {} FAIL\n", counts[Health::pass],
                                 counts[Health::warn], counts[Health::unknown], counts[Health::fail]);
  const auto installs = [](const Judged& one) {
    return std::string_view(one.check->group) == "Software" || std::string_view(one.check->group) == "GPU";
  };
  const auto add = [&](const char* what, const std::function<bool(const Judged&)>& wanted) {
    if (const std::string list = ids(judged, wanted); !list.empty())
      text += "  " + wrapped(what + list, 2, 4);
  };
  add("Nothing works before this is changed: ",
      [](const Judged& one) { return one.finding.health == Health::fail; });
  const auto mendable = [](const Judged& one) {
    return one.finding.health == Health::warn && !one.finding.fix.empty();
  };
  add("For better numbers, change: ", [&](const Judged& one) { return mendable(one) && !installs(one); });
  add("To measure or see more, mend: ", [&](const Judged& one) { return mendable(one) && installs(one); });
  return text;
}

}  // namespace

std::string doctor_text(const DoctorFacts& facts, const std::vector<Judged>& judged) {
  std::string text = "perflab doctor: what this machine is like for measuring. No setting is changed.\n";
  std::string group;
  for (const Judged& one : judged) {
    if (one.check->group != group) text += fmt::format("\n{}\n", group = one.check->group);
    text += line_of(one);
  }
  text += "\n" + summary(judged);
  text += "  docs/troubleshooting.md has an entry for every word of the second column.\n";
  text += "\nWhat this machine can and cannot tell\n";
  for (const Outlook& one : outlook(facts))
    text += fmt::format("  {:<8}", one.can ? "can" : "cannot") + wrapped(one.text, 10, 10);
  return text;
}

Json doctor_json(const DoctorFacts& facts, const std::vector<Judged>& judged) {
  const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  Json::Array items, tells;
  for (const Judged& one : judged)
    items.push_back(Json::Object{{"id", one.check->id},
                                 {"group", one.check->group},
                                 {"status", health_text(one.finding.health)},
                                 {"value", one.finding.value},
                                 {"fix", or_null(one.finding.fix)},
                                 {"note", or_null(one.finding.note)}});
  for (const Outlook& one : outlook(facts))
    tells.push_back(Json::Object{{"can", one.can}, {"text", one.text}});
  return Json::Object{{"schema", 1},
                      {"suite_version", build_info().suite_version},
                      {"exit_code", doctor_exit_code(facts, judged)},
                      {"items", items},
                      {"outlook", tells},
                      {"environment", facts.environment.json()},
                      {"while_looking", facts.during.json()}};
}

}  // namespace perflab
