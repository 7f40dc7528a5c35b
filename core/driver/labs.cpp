#include "driver/labs.h"
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/check.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/process.h"
#include "bench/plan.h"

namespace perflab {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Beside the labs lie their tests and their descriptions.
bool is_lab_id(const std::string& name) {
  return name.size() > 3 && is_digit(name[0]) && is_digit(name[1]) && name[2] == '_' &&
         name.find('.') == std::string::npos && !name.ends_with("_test");
}

// From the file written at build time; a lab without one, or with one older than the program, is asked.
Json description_of(const std::filesystem::path& program) {
  std::filesystem::path file = program;
  file += ".json";
  std::error_code error;
  const auto described = std::filesystem::last_write_time(file, error);
  if (!error && described >= std::filesystem::last_write_time(program, error) && !error)
    return Json::parse(read_file(file), file.string());
  const Captured answer = capture({program.string(), "--describe"});
  if (!answer.ok)
    fail(ErrorKind::data, "'{}' --describe failed; build it again (./perflab build)", program.string());
  return Json::parse(answer.output, program.string() + " --describe");
}

}  // namespace

std::filesystem::path labs_folder() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "labs";
}

std::vector<Lab> find_labs(const std::filesystem::path& folder) {
  std::vector<Lab> labs;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path& program = entry->path();
    if (!is_lab_id(program.filename().string()) || !entry->is_regular_file() ||
        ::access(program.c_str(), X_OK) != 0)
      continue;
    labs.push_back({program.filename().string(), program, description_of(program)});
  }
  std::sort(labs.begin(), labs.end(), [](const Lab& a, const Lab& b) { return a.id < b.id; });
  return labs;
}

std::vector<Lab> choose_labs(const std::vector<Lab>& labs, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const Lab& lab : labs) known.push_back(lab.id);
  for (const std::string& word : words)
    if (std::none_of(labs.begin(), labs.end(), [&](const Lab& lab) { return names_lab(word, lab.id); }))
      fail(ErrorKind::usage, "{}", unknown_text("lab", word, known));
  if (words.empty()) return labs;
  std::vector<Lab> chosen;
  for (const Lab& lab : labs)
    if (std::any_of(words.begin(), words.end(),
                    [&](const std::string& word) { return names_lab(word, lab.id); }))
      chosen.push_back(lab);
  return chosen;
}

std::vector<std::string> axis_names(const Lab& lab) {
  std::vector<std::string> axes;
  for (const Json& experiment : lab.description.at("experiments").array())
    for (const Json& axis : experiment.at("axes").array())
      if (std::find(axes.begin(), axes.end(), axis.at("name").text()) == axes.end())
        axes.push_back(axis.at("name").text());
  return axes;
}

std::vector<std::string> fault_texts(const Lab& lab) {
  std::vector<std::string> texts;
  for (const Json& fault : lab.description.at("faults").array()) texts.push_back(fault.text());
  return texts;
}

std::string question_of(const Lab& lab) {
  const std::string text = lab.description.text_or("question", "");
  for (std::size_t at = 0; at + 1 < text.size(); ++at)
    if ((text[at] == '?' || text[at] == '.') && text[at + 1] == ' ') return text.substr(0, at + 1);
  return text;
}

std::string ceilings_experiment(const Lab& lab) {
  for (const Json& experiment : lab.description.at("experiments").array())
    if (experiment.at("defines_ceilings").boolean() && experiment.at("hidden").boolean())
      return experiment.at("name").text();
  return "";
}

std::vector<std::pair<std::string, std::string>> lab_variables() {
  // Asked for n threads, given n threads. Nothing is pinned: OMP_PROC_BIND would bind the lab's first thread
  // before main, every other thread would inherit its one CPU, and the lab would see a machine of one.
  if (std::getenv("OMP_DYNAMIC") != nullptr) return {};
  return {{"OMP_DYNAMIC", "false"}};
}

}  // namespace perflab
