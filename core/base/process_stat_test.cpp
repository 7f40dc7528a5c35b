#include "base/process_stat.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/file.h"
#include "base/process.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

class MadeUpProc {
 public:
  // Ticks of the process itself (user, system) and of the children that it waited for.
  void process(long pid, const std::string& name, long parent, int user, int system, int reaped_user,
               int reaped_system) {
    const std::filesystem::path folder = folder_ / std::to_string(pid);
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "stat",
                          fmt::format("{} ({}) S {} 1 1 0 -1 4194560 5 6 7 8 {} {} {} {} 20 0 1 0 9876 0 0\n",
                                      pid, name, parent, user, system, reaped_user, reaped_system));
  }
  void file(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file_atomically(folder_ / name, text);
  }
  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TestFolder folder_;
};

std::int64_t ticks(int count) { return count * (1'000'000'000 / sysconf(_SC_CLK_TCK)); }

}  // namespace

TEST(ProcessStat, ReadsTheFieldsAfterANameWithBlanksAndParentheses) {
  MadeUpProc proc;
  proc.process(42, "a (b) c) 1 2", 7, 10, 3, 5, 1);
  const auto stat = read_process_stat(42, proc.path());
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->parent, 7);
  EXPECT_EQ(stat->state, 'S');
  EXPECT_EQ(stat->start_ticks, 9876);
  EXPECT_EQ(stat->cpu_ns, ticks(13));
  EXPECT_EQ(stat->reaped_ns, ticks(6));
}

TEST(ProcessStat, IsUnknownForNobodyAndForATornFile) {
  MadeUpProc proc;
  EXPECT_FALSE(read_process_stat(42, proc.path()).has_value());
  proc.file("42/stat", "42 (x) S 1 2 3");
  EXPECT_FALSE(read_process_stat(42, proc.path()).has_value());
  proc.file("42/stat", "");
  EXPECT_FALSE(read_process_stat(42, proc.path()).has_value());
}

TEST(ProcessStat, DescendantsAreCountedToTheLastOneAndNobodyElse) {
  MadeUpProc proc;
  proc.process(10, "we", 1, 1000, 1000, 7, 1);  // its own time is not its descendants'
  proc.process(30, "child", 10, 20, 2, 4, 0);
  proc.process(20, "grandchild", 30, 100, 10, 0, 0);  // a smaller pid than its parent's: pids come round
  proc.process(31, "second child", 10, 0, 0, 0, 0);
  proc.process(50, "a stranger", 1, 5000, 5000, 5000, 5000);
  proc.process(51, "its child", 50, 5000, 5000, 0, 0);
  proc.file("self/stat", "10 (we) S 1");
  proc.file("uptime", "1 2\n");
  EXPECT_EQ(descendants_cpu_ns(10, proc.path()), ticks(8 + 26 + 110));
  EXPECT_EQ(descendants_cpu_ns(20, proc.path()), 0);
  EXPECT_EQ(descendants_cpu_ns(99, proc.path()), 0) << "no such process";
}

// Numbers of ticks that were used, not a speed: the loop takes dozens of them.
TEST(ProcessStat, ABusyChildCountsWhileItLivesAndAfterwards) {
  const std::int64_t before = descendants_cpu_ns(::getpid());
  ChildProcess child(
      {"/bin/sh", "-c", "i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done; echo done; exec cat"},
      environment_with({}));
  std::string line;
  ASSERT_EQ(child.hear(50'000, line), ChildProcess::Heard::line);
  const std::int64_t alive = descendants_cpu_ns(::getpid()) - before;
  EXPECT_GT(alive, 0);
  child.stop();
  EXPECT_GE(descendants_cpu_ns(::getpid()) - before, alive);
}

TEST(ProcessStat, ThisProcessIsFound) {
  const auto self = read_process_stat(::getpid());
  ASSERT_TRUE(self.has_value());
  EXPECT_EQ(self->parent, ::getppid());
  EXPECT_GT(self->start_ticks, 0);
  EXPECT_FALSE(read_process_stat(::getpid(), "/no/such/folder").has_value());
}

}  // namespace perflab
