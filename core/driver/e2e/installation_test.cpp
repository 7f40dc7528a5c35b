#include "driver/e2e/installation_test.h"

#include <algorithm>

#include "base/file.h"
#include "base/process.h"
#include "bench/calibration.h"
#include "bench/csv.h"
#include "bench/json.h"
#include "bench/manifest.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;

constexpr const char* description =
    R"({"lab_id": "LAB_ID", "title": "Fake", "question": "Does the driver work?",
  "experiments": [
    {"name": "stream", "question": "How fast?", "hidden": false, "defines_ceilings": false,
     "axes": [{"name": "threads", "smoke": [1], "quick": [1, 2], "article": [], "reproduce": []}],
     "variants": ["a", "b"], "baseline": "a", "metrics": []}
    CEILINGS],
  "axes": ["threads"], "metrics": [], "faults": ["a planted fault"],
  "claims": [{"claim_id": "LAB_ID.c1", "part": "", "type": "ratio", "statement": "x", "quantity": "y", "needs_hw": ""}]})";

constexpr const char* hidden_experiment =
    R"(, {"name": "ceilings", "question": "How fast at most?", "hidden": true,
  "defines_ceilings": true, "axes": [], "variants": ["a"], "baseline": "a", "metrics": []})";

constexpr const char* questions = R"([
  {"question_id": "how-many", "text": "How many?", "hint": "Count.", "experiment": "stream", "params": "threads=2",
   "unit": "ratio", "choices": [], "tour": true},
  {"question_id": "which-one", "text": "Which?", "hint": "Choose.", "experiment": "stream", "params": "",
   "unit": "ratio", "choices": [{"word": "some", "text": "a few"}, {"word": "more", "text": "many"}],
   "tour": false}])";

void replace_all(std::string& text, const std::string& word, const std::string& by) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
}

}  // namespace

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

Installation::Installation() {
  fs::create_directories(root_ / "labs");
  fs::copy_file(fs::path(PERFLAB_BINARY_DIR) / "perflab", program_);
  add_lab("04_fake");
}

void Installation::add_lab(const std::string& id, bool with_ceilings) {
  const fs::path lab = root_ / "labs" / id;
  fs::copy_file(fs::path(PERFLAB_SOURCE_DIR) / "core/driver/e2e/fake_lab.sh", lab);
  fs::permissions(lab, fs::perms::owner_all);
  std::string text = description;
  replace_all(text, "LAB_ID", id);
  replace_all(text, "CEILINGS", with_ceilings ? hidden_experiment : "");
  write_file_atomically(lab.string() + ".json", text);
}

void Installation::behave(const std::string& id, const std::string& behaviour) {
  write_file_atomically(root_ / "labs" / (id + ".behaviour"), behaviour);
}

void Installation::give_questions(const std::string& id) {
  const fs::path lab = root_ / "labs" / id;
  Json description = Json::parse(read_file(lab.string() + ".json"), id);
  description.set("questions", Json::parse(questions, "questions"));
  write_file_atomically(lab.string() + ".json", description.dump());
  const auto row = [&](std::vector<std::string> fields) {
    fields.insert(fields.begin(), id);
    return csv_line(fields);
  };
  write_file_atomically(lab.string() + ".predictions",
                        csv_line(predictions_header()) +
                            row({"how-many", "How many?", "interval", "ratio", "4", "2", "8", "", "42.5",
                                 "42", "43", "", "0", "10.6", "25", "", "Because."}) +
                            row({"which-one", "Which?", "choice", "ratio", "", "", "", "more", "1.25", "1.25",
                                 "1.25", "some", "0", "", "", "", "Therefore."}));
  write_file_atomically(lab.string() + ".calibration",
                        csv_line(calibration_header()) + csv_line(calibration_fields({}, id)));
}

std::string Installation::calls(const std::string& id) const {
  const fs::path file = root_ / "labs" / (id + ".calls");
  return fs::exists(file) ? read_file(file) : "";
}

Outcome Installation::perflab(const std::vector<std::string>& words, const std::string& before) const {
  std::vector<std::string> command = {"/bin/sh", "-c", before + " exec \"$0\" \"$@\" 2>&1",
                                      program_.string()};
  command.insert(command.end(), words.begin(), words.end());
  const Captured captured = capture(command, 50'000);
  return {captured.exit_code, captured.output};
}

std::vector<fs::path> Installation::runs() const {
  std::vector<fs::path> folders;
  if (fs::exists(out_))
    for (const auto& entry : fs::directory_iterator(out_))
      if (entry.is_directory() && fs::exists(entry.path() / "manifest.json")) folders.push_back(entry.path());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string Installation::snapshot(const fs::path& folder) const {
  return list_outputs(folder).dump() + read_file(folder / "manifest.json");
}

}  // namespace perflab
