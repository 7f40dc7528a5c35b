#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"
#include "base/clock.h"

extern char** environ;

namespace perflab {
namespace {

// Only async-signal-safe calls: another thread may have held a lock at the fork.
[[noreturn]] void become(const std::vector<char*>& argv, int output) {
  ::setpgid(0, 0);  // so that what it starts itself can be ended with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(nothing, STDERR_FILENO);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

// Reads until the end of the output; false if the time is up first.
bool drain_output(int descriptor, std::int64_t deadline_ns, std::string& output) {
  std::array<char, 1 << 16> chunk{};
  while (true) {
    const std::int64_t left_ms = (deadline_ns - steady_clock().now_ns()) / 1'000'000;
    if (left_ms <= 0) return false;
    pollfd waiting{descriptor, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, int(left_ms));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    output.append(chunk.data(), std::size_t(count));
  }
}

// It may close its output some time before its end. Not waited for: its group's number stays taken.
bool has_ended(pid_t child, std::int64_t deadline_ns) {
  siginfo_t seen{};
  while (true) {
    if (::waitid(P_PID, id_t(child), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 && seen.si_pid != 0)
      return true;
    if (steady_clock().now_ns() >= deadline_ns) return false;
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace

std::vector<std::string> environment_with(const Variables& added, const std::vector<std::string>& dropped) {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const auto is_added = [&](const auto& variable) { return text.starts_with(variable.first + "="); };
    const auto is_dropped = [&](const std::string& prefix) { return text.starts_with(prefix); };
    if (std::none_of(added.begin(), added.end(), is_added) &&
        std::none_of(dropped.begin(), dropped.end(), is_dropped))
      entries.push_back(text);
  }
  for (const auto& [name, value] : added) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

Captured capture(const std::vector<std::string>& argv, int timeout_ms) {
  PL_CHECK(!argv.empty(), "capture: an empty command; want a program and its arguments");
  Captured result;
  const std::vector<char*> pointers = pointers_to(argv);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return result;
  const std::int64_t deadline_ns = steady_clock().now_ns() + std::int64_t(timeout_ms) * 1'000'000;
  const pid_t child = ::fork();
  if (child == 0) become(pointers, ends[1]);
  ::close(ends[1]);
  if (child > 0) {
    ::setpgid(child, child);  // both sides do it: whoever comes first
    const bool in_time = drain_output(ends[0], deadline_ns, result.output);
    const bool ended = in_time && has_ended(child, deadline_ns);
    // Whoever is left of its group, also where it ended well; before the wait: until then its number is its
    // own.
    ::kill(-child, SIGKILL);
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (ended && WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    result.ok = result.exit_code == 0;
  }
  ::close(ends[0]);
  return result;
}

}  // namespace perflab
