#include "driver/check_request.h"

#include <algorithm>
#include <type_traits>

#include "base/check.h"
#include "base/nearest.h"
#include "base/units.h"
#include "bench/plan.h"
#include "device/device.h"

namespace perflab {
namespace {

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_text(const Json& value) {
  return value.visit(
      [](const auto& held) { return std::is_same_v<std::decay_t<decltype(held)>, std::string>; });
}

// Declared values of the axis of that name in all experiments of the lab that `run` measures and that have
// it.
std::vector<Json> declared_values(const Lab& lab, const std::string& name) {
  std::vector<Json> values;
  for (const Json& experiment : lab.description.at("experiments").array())
    for (const Json& axis : experiment.at("hidden").boolean() ? Json::Array{} : experiment.at("axes").array())
      if (axis.at("name").text() == name)
        for (const char* profile : {"quick", "smoke", "article", "reproduce"})
          for (const Json& value : axis.at(profile).array()) values.push_back(value);
  return values;
}

// A text axis takes only values that the lab knows; a numeric one any number.
void check_values(const Lab& lab, const std::string& axis, const std::vector<std::string>& given) {
  std::vector<std::string> texts;
  bool numeric = false, positive = true;  // positive: as all declared values are
  for (const Json& value : declared_values(lab, axis)) {
    if (!is_text(value)) {
      numeric = true;
      positive = positive && value.number() > 0;
    } else if (!contains(texts, value.text())) texts.push_back(value.text());
  }
  for (const std::string& value : given) {
    if (std::count(given.begin(), given.end(), value) > 1)
      fail(ErrorKind::usage, "--set {}: {} is given twice", axis, value);
    if (contains(texts, value)) continue;
    if (!numeric)
      fail(ErrorKind::usage, "--set {}={}: {}", axis, value,
           unknown_text("value of axis " + axis, value, texts));
    double number = 0;
    try {
      number = value.find('.') == std::string::npos ? double(parse_count(value)) : parse_number(value);
    } catch (const Error& error) {
      fail(ErrorKind::usage, "--set {}={}: {}", axis, value, error.what());
    }
    if (positive && number <= 0) fail(ErrorKind::usage, "--set {}={}: want a number above zero", axis, value);
  }
}

void check_sets(const std::vector<std::string>& sets, const std::vector<Lab>& labs) {
  std::vector<std::string> known;
  for (const Lab& lab : labs)
    for (const std::string& axis : axis_names(lab))
      if (!contains(known, axis)) known.push_back(axis);
  for (const std::string& text : sets) {
    const auto [axis, values] = parse_set(text);
    if (!contains(known, axis))
      fail(ErrorKind::usage, "--set {}: {}", text, unknown_text("axis", axis, known));
    for (const Lab& lab : labs)
      if (contains(axis_names(lab), axis)) check_values(lab, axis, values);
  }
}

void check_fault(int fault, const std::vector<Lab>& labs) {
  if (fault == 0) return;
  for (const Lab& lab : labs) {
    const std::vector<std::string> texts = fault_texts(lab);
    if (fault <= int(texts.size())) continue;
    std::string known;
    for (std::size_t i = 0; i < texts.size(); ++i)
      known += fmt::format("{}{} {}", i == 0 ? "" : "; ", i + 1, texts[i]);
    fail(ErrorKind::usage, "--fault {}: lab {} has {}", fault, lab.id,
         known.empty() ? "no planted faults" : known);
  }
}

// A pattern may wait for labs that do not exist yet; a plain word that means none is a slip.
bool is_pattern(const std::string& word) { return word.find_first_of("*?[") != std::string::npos; }

bool means_a_lab(const std::string& word, const std::vector<Lab>& labs) {
  return std::any_of(labs.begin(), labs.end(), [&](const Lab& lab) { return names_lab(word, lab.id); });
}

// Profiles name axes too; a glob may meet labs of which only some have the axis, so a name known to one of
// them will do.
void check_overrides(const Profile& profile, const std::vector<Lab>& labs, const std::vector<Lab>& all) {
  for (const auto& [glob, axes] : profile.overrides)
    for (const auto& [axis, values] : axes) {
      std::vector<Lab> met;
      if (!is_pattern(glob) && !means_a_lab(glob, all))
        fail(ErrorKind::usage, "profile {}: [{}] is neither one of its tables nor does it mean a lab; {}",
             profile.name, glob, unknown_text("table", glob, {"run", "warmup", "blocks", "cap", "verdicts"}));
      if (!means_a_lab(glob, labs)) continue;  // a campaign over labs that this run does not include
      met = choose_labs(labs, {glob});
      std::vector<std::string> joined = values;
      std::string text = axis + "=";
      for (std::size_t i = 0; i < joined.size(); ++i) text += (i == 0 ? "" : ",") + joined[i];
      check_sets({text}, met);
    }
}

}  // namespace

void check_request(const Options& options, const Profile& profile, const std::vector<Lab>& labs) {
  if (labs.empty())
    fail(ErrorKind::environment, "there is no lab in '{}'; build them with ./perflab build",
         labs_folder().string());
  check_sets(options.set, labs);
  check_overrides(profile, labs, find_labs(labs_folder()));
  check_fault(options.fault, labs);
  Device::named(options.devices);
}

std::vector<std::string> sets_for(const Lab& lab, const std::vector<std::string>& sets) {
  std::vector<std::string> known;
  for (const std::string& text : sets)
    if (contains(axis_names(lab), parse_set(text).first)) known.push_back(text);
  return known;
}

}  // namespace perflab
