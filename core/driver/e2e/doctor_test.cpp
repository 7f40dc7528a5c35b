// `perflab doctor` from its command line to its text, JSON and exit code.
#include <set>

#include "base/file.h"
#include "bench/json.h"
#include "driver/doctor/doctor.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

namespace fs = std::filesystem;
using Doctor = Installation;

std::set<std::string> files_below(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) files.insert(entry.path().string());
  return files;
}

const Json& item(const Json& json, std::string_view id) {
  for (const Json& one : json.at("items").array())
    if (one.at("id").text() == id) return one;
  fail(ErrorKind::check, "doctor --json has no item '{}'", id);
}

std::string with_driver(const std::string& fake) {
  return "LD_LIBRARY_PATH='" + (fs::path(PERFLAB_BINARY_DIR) / "cuda_fakes" / fake).string() +
         "'; export LD_LIBRARY_PATH;";
}

}  // namespace

TEST_F(Doctor, ExaminesAndLeavesNothingBehind) {
  const auto before = files_below(root_);
  const Outcome outcome = perflab({"doctor", "--out", out_});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "What this machine can and cannot tell")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "(>= 9.0)")) << outcome.text;  // found and least versions
  EXPECT_EQ(files_below(root_), before);
}

TEST_F(Doctor, JsonIsOneDocumentWithEveryCheck) {
  const Outcome outcome = perflab({"doctor", "--json", "--out", out_});
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const Json json = Json::parse(outcome.text, "doctor --json");
  EXPECT_EQ(json.at("items").array().size(), doctor_checks().size());
  EXPECT_EQ(item(json, "results").at("status").text(), "PASS");
  EXPECT_FALSE(json.at("environment").at("kernel").at("value").text().empty());
}

TEST_F(Doctor, AResultsFolderThatCannotBeUsedIsExit6) {
  write_file_atomically(out_, "a file");
  const Outcome outcome = perflab({"doctor", "--out", out_});
  EXPECT_EQ(outcome.exit_code, 6) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "FAIL     results")) << outcome.text;
  EXPECT_TRUE(has(outcome.text, "Nothing works before this is changed: results")) << outcome.text;
}

TEST_F(Doctor, ADriverThatCrashesOrIsTooOldIsALineOfText) {
  fs::create_directories(root_ / "bin");
  write_file_atomically(root_ / "bin/nvcc",
                        "#!/bin/sh\necho 'Cuda compilation tools, release 12.4, V12.4.99'\n");
  fs::permissions(root_ / "bin/nvcc", fs::perms::owner_all);
  const std::string path = "PATH='" + (root_ / "bin").string() + "':$PATH; export PATH;";
  for (const auto& [fake, words] :
       {std::pair<std::string, std::string>{
            "crash", "the driver's library crashed: Segmentation fault (signal 11) in cuInit"},
        {"no_device", "but it sees no GPU: CUDA_ERROR_NO_DEVICE (100)"},
        {"old", "it supports CUDA 11.4, this program needs 12.4"}}) {
    const Outcome outcome = perflab({"doctor", "--json", "--out", out_}, path + with_driver(fake));
    ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
    const std::string value = item(Json::parse(outcome.text, "doctor"), "gpu").at("value").text();
    EXPECT_TRUE(has(value, words)) << value;
  }
  // The labs go on whatever the driver does.
  EXPECT_EQ(
      perflab({"run", "--profile", "smoke", "--out", out_, "--no-plots"}, with_driver("crash")).exit_code, 0);
}

TEST_F(Doctor, APythonThatIsAskedForAndCannotBeUsedIsNamed) {
  const Outcome outcome =
      perflab({"doctor", "--json", "--out", out_}, "PERFLAB_PYTHON=/no/such/python; export PERFLAB_PYTHON;");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const Json json = Json::parse(outcome.text, "doctor");
  EXPECT_EQ(item(json, "python").at("status").text(), "WARN");
  EXPECT_TRUE(has(item(json, "python").at("value").text(),
                  "PERFLAB_PYTHON is '/no/such/python', which cannot be started"));
}

TEST_F(Doctor, RunNamesAPythonThatItCouldNotUseForCharts) {
  const Outcome outcome = perflab({"run", "--profile", "smoke", "--out", out_},
                                  "PERFLAB_PYTHON=/no/such/python; export PERFLAB_PYTHON;");
  EXPECT_TRUE(has(outcome.text, "/no/such/python")) << outcome.text;
}

TEST_F(Doctor, ListAndDoctorSayTheSameAboutCuda) {
  const std::string list = perflab({"list"}).text;
  const Json json = Json::parse(perflab({"doctor", "--json", "--out", out_}).text, "doctor");
  EXPECT_TRUE(has(list, item(json, "cuda").at("value").text())) << list;
}

}  // namespace perflab
