// How many threads a program's streams and teams start, and that they sleep when there is nothing to do.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "base/process.h"
#include "device/cpu_device.h"
#include "device/parallel.h"

namespace perflab {
namespace {

constexpr const char* alone_variable = "PERFLAB_TEST_COUNTS_THREADS";

// The first thread of a process may bring another: the thread sanitizer's own.
void start_a_first_thread() {
  std::thread([] {}).join();
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

void sum_in_parallel(StreamContext& context, std::atomic<std::int64_t>& sum) {
  parallel_for(context, 1000, 1, [&](std::int64_t begin, std::int64_t end) { sum += end - begin; });
}

// Runs this test once more as the only one of a process: what other tests started would be counted too.
bool passes_in_a_process_of_its_own() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  ::setenv(alone_variable, "1", 1);
  const Captured run =
      capture({"/proc/self/exe", std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name()},
              50'000);
  ::unsetenv(alone_variable);
  EXPECT_NE(run.output.find("[  PASSED  ] 1 test"), std::string::npos) << run.output;
  return run.ok;
}

bool is_alone() { return ::getenv(alone_variable) != nullptr; }

char state_of_thread(long thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_end = text.rfind(')');  // the name may hold anything
  return name_end + 2 < text.size() ? text[name_end + 2] : '?';
}

}  // namespace

TEST(StreamThreads, ASynchronousProgramHasOneTeamAndNoStreamThread) {
  if (!is_alone()) {
    EXPECT_TRUE(passes_in_a_process_of_its_own());
    return;
  }
  CpuDevice device({.name = "cpu:7", .cores = 2, .pinned_cpus = {}});
  start_a_first_thread();
  const std::ptrdiff_t before = threads_of_this_process();
  std::atomic<std::int64_t> sum{0};
  for (int kernel = 0; kernel < 20; ++kernel) {
    Turn turn(device.stream());
    ASSERT_TRUE(turn);
    sum_in_parallel(turn.context(), sum);
  }
  EXPECT_EQ(sum, 20'000);
  EXPECT_EQ(threads_of_this_process() - before, 1) << "the caller's partner in the team";
}

TEST(StreamThreads, AnAsynchronousProgramHasTheStreamsThreadAndOneTeam) {
  if (!is_alone()) {
    EXPECT_TRUE(passes_in_a_process_of_its_own());
    return;
  }
  CpuDevice device({.name = "cpu:7", .cores = 2, .pinned_cpus = {}});
  start_a_first_thread();
  const std::ptrdiff_t before = threads_of_this_process();
  std::atomic<std::int64_t> sum{0};
  for (int kernel = 0; kernel < 20; ++kernel)
    device.stream().enqueue([&](StreamContext& context) { sum_in_parallel(context, sum); });
  device.synchronize();
  EXPECT_EQ(sum, 20'000);
  EXPECT_EQ(threads_of_this_process() - before, 2) << "the stream's thread and its partner in the team";
}

TEST(StreamThreads, SleepWhenThereIsNothingToDoAndWakeForMore) {
  CpuDevice device({.name = "cpu:7", .cores = 1, .pinned_cpus = {}});
  long thread = 0;
  for (int round = 0; round < 3; ++round) {
    device.stream().enqueue([&](StreamContext&) { thread = ::gettid(); });
    device.synchronize();
    char state = '?';
    for (int tries = 0; tries < 20'000 && state != 'S'; ++tries) {
      state = state_of_thread(thread);
      if (state != 'S') ::usleep(1000);
    }
    ASSERT_EQ(state, 'S') << "its thread still runs";
  }
}

}  // namespace perflab
