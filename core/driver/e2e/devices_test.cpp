#include "base/check.h"
#include "base/file.h"
#include "bench/device_flags.h"
#include "bench/run.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

using Devices = Installation;

const std::vector<std::string> flags = {"--cpu-devices", "2", "--cores-per-device", "1", "--link", "5,10"};
const std::string joined = "--cpu-devices 2 --cores-per-device 1 --link 5,10";

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_F(Devices, TheirFlagsReachTheLabAndTheManifest) {
  const std::vector<std::string> words = {"run", "--profile",  "smoke",     "--out",
                                          out_,  "--no-plots", "--devices", "cpu:1"};
  const Outcome outcome = perflab(words + flags);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(calls("04_fake"), joined)) << calls("04_fake");
  const Json manifest = Run::open(runs().front()).manifest();
  EXPECT_EQ(manifest.at("devices").at("list").array()[1].at("name").text(), "cpu:1");
  EXPECT_EQ(manifest.at("devices").at("list").array()[1].at("cores").number(), 1);
  EXPECT_EQ(manifest.at("devices").at("link").at("kind").text(), "modelled");
  EXPECT_EQ(words_of(device_flags_from(manifest.at("request").at("device_flags"))), flags);
}

TEST_F(Devices, ALinkWithoutASecondDeviceIsSaidToChangeNothing) {
  const std::vector<std::string> words = {"run", "--profile",  "smoke",  "--out",
                                          out_,  "--no-plots", "--link", "5,10"};
  EXPECT_TRUE(has(perflab(words).text, "--link 5,10 changes nothing"));
  EXPECT_FALSE(has(perflab(words + std::vector<std::string>{"--cpu-devices", "2"}).text, "changes nothing"));
}

TEST_F(Devices, AResumedRunHasTheDevicesThatItBeganWith) {
  behave("04_fake", "exit_130");
  ASSERT_EQ(
      perflab(std::vector<std::string>{"run", "--profile", "smoke", "--out", out_, "--no-plots"} + flags)
          .exit_code,
      130);
  behave("04_fake", "ok");
  const std::vector<std::string> resume = {"run", "--resume", "latest", "--out", out_, "--no-plots"};
  EXPECT_EQ(perflab(resume + std::vector<std::string>{"--link", "1,1"}).exit_code, 2);
  const Outcome outcome = perflab(resume);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  EXPECT_TRUE(has(calls("04_fake"), joined + " --resume")) << calls("04_fake");
}

TEST_F(Devices, MistakesAreUsageErrorsBeforeAnythingIsMade) {
  struct Mistake {
    std::vector<std::string> words;
    std::string meant;
  };
  for (const Mistake& mistake : {Mistake{{"--cpu-devices", "0"}, "--cpu-devices: Value 0"},
                                 {{"--cpu-devices", "65"}, "--cpu-devices: Value 65"},
                                 {{"--cores-per-device", "0"}, "--cores-per-device: Value 0"},
                                 {{"--link", "5"}, "want LATENCY_us,GBps"},
                                 {{"--link", "5,0"}, "want LATENCY_us,GBps"},
                                 {{"--devices", "cpu:1"}, "this machine has cpu:0"}}) {
    const Outcome outcome = perflab(std::vector<std::string>{"run", "--out", out_} + mistake.words);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.text;
    EXPECT_TRUE(has(outcome.text, mistake.meant)) << outcome.text;
  }
  EXPECT_TRUE(runs().empty());
  EXPECT_EQ(calls("04_fake"), "");
}

TEST_F(Devices, ListEndsWithWhyThereIsNoCuda) {
  const Outcome outcome = perflab({"list"});
  ASSERT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.text.ends_with("\nno CUDA: libperflab_cuda.so is not built\n")) << outcome.text;
}

}  // namespace perflab
