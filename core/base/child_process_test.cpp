#include "base/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "base/process.h"
#include "base/process_stat.h"
#include "base/stop.h"

namespace perflab {
namespace {

constexpr int patient_ms = 20'000;  // none of these children needs a second

ChildProcess shell(const std::string& script) { return {{"/bin/sh", "-c", script}, environment_with({})}; }

std::string heard(ChildProcess& child) {
  std::string line;
  EXPECT_EQ(child.hear(patient_ms, line), ChildProcess::Heard::line);
  return line;
}

// Killed processes go a moment later, and one that nobody waits for stays as a zombie.
bool is_gone_soon(long pid) {
  for (int i = 0; i < 10'000; ++i) {
    const auto stat = read_process_stat(pid);
    if (!stat || stat->state == 'Z') return true;
    ::usleep(1000);
  }
  return false;
}

// What the memory without a name holds that collects the children's errors.
std::uintmax_t bytes_of_error_files() {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    if (std::filesystem::read_symlink(entry.path(), error).string().starts_with("/memfd:stderr of a child"))
      bytes += std::filesystem::file_size(entry.path(), error);
  return bytes;
}

}  // namespace

TEST(ChildProcess, AnswersLineByLine) {
  ChildProcess child = shell("while read line; do echo \"got $line\"; done");
  EXPECT_TRUE(child.say("one"));
  EXPECT_EQ(heard(child), "got one");
  EXPECT_TRUE(child.say("two words"));
  EXPECT_TRUE(child.say(""));
  EXPECT_EQ(heard(child), "got two words");
  EXPECT_EQ(heard(child), "got ");
  child.stop(patient_ms);
  EXPECT_EQ(child.ending(), "ended with exit code 0") << "it ends by itself when its input does";
}

TEST(ChildProcess, EndsWithItsDestructionAndIsWaitedFor) {
  long pid = 0;
  {
    ChildProcess child = shell("echo ready; exec cat");
    pid = child.pid();
    EXPECT_EQ(heard(child), "ready");
    EXPECT_EQ(::kill(pid_t(pid), 0), 0);
  }
  EXPECT_EQ(::waitpid(pid_t(pid), nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_FALSE(read_process_stat(pid).has_value());
}

TEST(ChildProcess, OneThatDoesNotListenIsKilledWithItsOwnChildren) {
  ChildProcess child = shell("sleep 1000 & echo $!; trap '' TERM; while :; do sleep 1000; done");
  const long its_own = std::stol(heard(child));
  EXPECT_TRUE(read_process_stat(its_own).has_value());
  child.stop();
  EXPECT_EQ(child.ending(), "was stopped");
  EXPECT_TRUE(is_gone_soon(its_own));
}

TEST(ChildProcess, TellsItsEndAndItsLastWords) {
  ChildProcess left = shell("echo one; echo first >&2; echo last >&2; exit 3");
  EXPECT_EQ(heard(left), "one");
  std::string line;
  EXPECT_EQ(left.hear(patient_ms, line), ChildProcess::Heard::end);
  left.stop(patient_ms);
  EXPECT_EQ(left.ending(), "ended with exit code 3");
  EXPECT_EQ(left.signal(), 0);
  EXPECT_EQ(left.last_words(), "first\nlast");
  EXPECT_FALSE(left.say("anybody?"));

  ChildProcess killed = shell("kill -SEGV $$");
  EXPECT_EQ(killed.hear(patient_ms, line), ChildProcess::Heard::end);
  killed.stop(patient_ms);
  EXPECT_EQ(killed.ending(), fmt::format("was killed by signal {}", SIGSEGV));
  EXPECT_EQ(killed.signal(), SIGSEGV);
}

TEST(ChildProcess, SilenceIsToldApartFromTheEnd) {
  ChildProcess child = shell("exec sleep 1000");
  std::string line;
  EXPECT_EQ(child.hear(10, line), ChildProcess::Heard::silence);
  EXPECT_FALSE(child.is_stopped());
}

TEST(ChildProcess, NobodyWaitsForOneAnyLongerWhenAStopIsRequested) {
  ChildProcess child({"/bin/sh", "-c", "sleep 1000"}, environment_with({}));
  std::string line;
  request_stop();  // the limits are longer than this test may take
  EXPECT_EQ(child.hear(3'600'000, line), ChildProcess::Heard::silence);
  EXPECT_FALSE(child.say(std::string(1 << 24, 'x'), 3'600'000));
  request_stop(false);
  child.stop();
  EXPECT_TRUE(child.is_stopped());
}

TEST(ChildProcess, SpeakingToOneThatIsGoneIsNoSignalToUs) {
  ChildProcess child = shell("exec true");
  std::string line;
  EXPECT_EQ(child.hear(patient_ms, line), ChildProcess::Heard::end);
  EXPECT_FALSE(child.say(std::string(1 << 20, 'x')));
}

TEST(ChildProcess, TakesLongLinesButNotEndlessOnes) {
  ChildProcess long_line = shell("head -c 300000 /dev/zero | tr '\\0' x; echo; exec cat");
  EXPECT_EQ(heard(long_line).size(), 300000u);
  ChildProcess endless = shell("cat /dev/zero");
  std::string line;
  EXPECT_EQ(endless.hear(patient_ms, line), ChildProcess::Heard::end);
}

TEST(ChildProcess, MuchErrorOutputBlocksNothingAndIsCutToItsEnd) {
  ChildProcess child = shell("yes noise | head -c 600000 >&2; echo the end >&2; echo done; exec cat");
  EXPECT_EQ(heard(child), "done");
  EXPECT_TRUE(child.last_words().ends_with("noise\nthe end")) << child.last_words();
  EXPECT_LE(child.last_words().size(), 2000u);
}

TEST(ChildProcess, EndlessErrorOutputKeepsOnlyItsEndInMemory) {
  ChildProcess child =
      shell("while read line; do yes noise | head -c 3000000 >&2; echo end $line >&2; echo $line; done");
  for (const char* round : {"one", "two"}) {
    EXPECT_TRUE(child.say(round));
    EXPECT_EQ(heard(child), round);
  }
  EXPECT_TRUE(child.last_words().ends_with("noise\nend two")) << child.last_words();
  std::string line;
  EXPECT_EQ(child.hear(0, line), ChildProcess::Heard::silence);  // looks at what there is, and cuts it
  EXPECT_LE(bytes_of_error_files(), std::uintmax_t(1) << 20);
  EXPECT_TRUE(child.last_words().ends_with("noise\nend two")) << child.last_words();
  EXPECT_LE(child.last_words().size(), 2000u);
  child.stop(patient_ms);
  EXPECT_TRUE(child.last_words().ends_with("noise\nend two")) << child.last_words();
}

TEST(ChildProcess, WordsOfBeforeAndAfterACutAreOneText) {
  ChildProcess child = shell(
      "yes noise | head -c 1500000 >&2; echo before >&2; echo; read line; echo after >&2; echo; exec cat");
  EXPECT_EQ(heard(child), "");
  EXPECT_TRUE(child.say("go on"));  // cuts
  EXPECT_EQ(heard(child), "");
  EXPECT_TRUE(child.last_words().ends_with("noise\nbefore\nafter")) << child.last_words();
  EXPECT_LE(child.last_words().size(), 2000u);
}

TEST(ChildProcess, SpeakingToOneThatDoesNotListenEndsAtTheLimit) {
  ChildProcess child = shell("exec sleep 1000");
  EXPECT_TRUE(child.say("a line that waits in the pipe"));
  EXPECT_FALSE(child.say(std::string(std::size_t(16) << 20, 'x'), 20)) << "more than a pipe takes";
}

TEST(ChildProcess, AMissingProgramEndsWith127) {
  ChildProcess child({"/no/such/program"}, environment_with({}));
  std::string line;
  EXPECT_EQ(child.hear(patient_ms, line), ChildProcess::Heard::end);
  child.stop(patient_ms);
  EXPECT_EQ(child.ending(), "ended with exit code 127");
  EXPECT_THROW(ChildProcess({}, {}), Error);
}

TEST(ChildProcess, IsNotInOurProcessGroup) {
  ChildProcess child = shell("exec cat");
  EXPECT_EQ(::getpgid(pid_t(child.pid())), child.pid());
}

TEST(ChildProcess, DiesWithAParentThatIsKilledOutright) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    ChildProcess child = shell("trap '' TERM HUP; echo ready; while :; do sleep 1000; done");
    std::string line;
    child.hear(patient_ms, line);
    const long pid = child.pid();
    if (::write(ends[1], &pid, sizeof pid) != sizeof pid) ::_exit(1);
    while (true) ::pause();
  }
  long pid = 0;
  ASSERT_EQ(::read(ends[0], &pid, sizeof pid), ssize_t(sizeof pid));
  EXPECT_TRUE(read_process_stat(pid).has_value());
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(pid));
  for (const int end : ends) ::close(end);
}

TEST(Environment, AddsReplacesAndDrops) {
  ::setenv("PERFLAB_TEST_KEPT", "1", 1);
  ::setenv("PERFLAB_TEST_OLD", "1", 1);
  ::setenv("PERFLAB_DROP_A", "1", 1);
  const std::vector<std::string> entries =
      environment_with({{"PERFLAB_TEST_OLD", "2"}, {"PERFLAB_DROP_B", "3"}}, {"PERFLAB_DROP_"});
  const auto count = [&](const std::string& entry) {
    return std::count(entries.begin(), entries.end(), entry);
  };
  EXPECT_EQ(count("PERFLAB_TEST_KEPT=1"), 1);
  EXPECT_EQ(count("PERFLAB_TEST_OLD=1"), 0);
  EXPECT_EQ(count("PERFLAB_TEST_OLD=2"), 1);
  EXPECT_EQ(count("PERFLAB_DROP_A=1"), 0);
  EXPECT_EQ(count("PERFLAB_DROP_B=3"), 1) << "what is added stays";
  for (const char* name : {"PERFLAB_TEST_KEPT", "PERFLAB_TEST_OLD", "PERFLAB_DROP_A"}) ::unsetenv(name);
}

}  // namespace perflab
