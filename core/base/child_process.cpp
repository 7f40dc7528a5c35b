#include "base/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/stop.h"

namespace perflab {
namespace {

constexpr std::size_t longest_line_bytes = 1 << 20, longest_words_bytes = 2000;
constexpr off_t most_error_bytes = 1 << 20;
constexpr std::int64_t look_every_ms = 100;  // at its errors, while it is listened to

struct Ends {
  int input, output, errors;
};

// Only async-signal-safe calls: another thread may have held a lock at the fork.
[[noreturn]] void become(char* const* argv, char* const* environment, const Ends& ends, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(128 + SIGKILL);  // it died before the line above
  ::dup2(ends.input, STDIN_FILENO);
  ::dup2(ends.output, STDOUT_FILENO);
  ::dup2(ends.errors, STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);  // what is ignored here would stay ignored there
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(argv[0], argv, environment);
  ::_exit(127);
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors)
    if (descriptor >= 0) ::close(descriptor);
}

std::int64_t deadline_in(int limit_ms) {
  return steady_clock().now_ns() + std::int64_t(limit_ms) * 1'000'000;
}

// True when one of the events, or the end, comes within the limit and before the user wants to stop.
// `meanwhile` is called now and then.
template <typename Action>
bool comes(int descriptor, short events, std::int64_t deadline_ns, const Action& meanwhile) {
  while (true) {
    const std::int64_t left_ms = (deadline_ns - steady_clock().now_ns() + 999'999) / 1'000'000;
    pollfd waiting{descriptor, events, 0};
    const int ready = ::poll(&waiting, 1, int(std::clamp<std::int64_t>(left_ms, 0, look_every_ms)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if ((ready == 0 && left_ms <= look_every_ms) || stop_requested()) return false;
    meanwhile();
  }
}

// The end of what was printed before and what the file holds.
std::string tail_of(int file, const std::string& before) {
  const off_t end = std::max<off_t>(::lseek(file, 0, SEEK_END), 0);
  const off_t from = std::max<off_t>(0, end - off_t(longest_words_bytes));
  std::string text(std::size_t(end - from), '\0');
  const ssize_t count = ::pread(file, text.data(), text.size(), from);
  text.resize(std::size_t(std::max<ssize_t>(count, 0)));
  if (from == 0) text.insert(0, before);
  if (text.size() > longest_words_bytes) text.erase(0, text.size() - longest_words_bytes);
  return text;
}

// As a reader wants it: whole lines, nothing empty at the end.
std::string trimmed(std::string text) {
  if (text.size() == longest_words_bytes && text.find('\n') != std::string::npos)
    text.erase(0, text.find('\n') + 1);
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& argv,
                           const std::vector<std::string>& environment) {
  PL_CHECK(!argv.empty(), "child process: an empty command; want a program and its arguments");
  const std::vector<char*> arguments = pointers_to(argv), entries = pointers_to(environment);
  // A socket for its input: writing to a child that is gone must be an answer, not a SIGPIPE.
  std::array<int, 2> speech{-1, -1}, hearing{-1, -1};
  const bool made = ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, speech.data()) == 0 &&
                    ::pipe2(hearing.data(), O_CLOEXEC) == 0;
  errors_ = made ? ::memfd_create("stderr of a child", MFD_CLOEXEC) : -1;
  // Appending: its own children share the file.
  if (errors_ >= 0) ::fcntl(errors_, F_SETFL, O_APPEND);
  const pid_t parent = ::getpid();
  const pid_t child = errors_ >= 0 ? ::fork() : -1;
  if (child == 0) become(arguments.data(), entries.data(), {speech[1], hearing[1], errors_}, parent);
  close_all({speech[1], hearing[1]});
  if (child < 0) {
    close_all({speech[0], hearing[0], errors_});
    fail(ErrorKind::environment, "cannot start '{}': no pipe, no memory or no process left", argv.front());
  }
  ::setpgid(child, child);  // both sides do it: whoever comes first
  pid_ = child;
  speech_ = speech[0];
  hearing_ = hearing[0];
}

ChildProcess::~ChildProcess() { stop(); }

void ChildProcess::cut_errors() {
  if (::lseek(errors_, 0, SEEK_END) <= most_error_bytes) return;
  words_ = tail_of(errors_, words_);
  // The child appends: its next words are at the beginning. What it printed since the line above is lost.
  if (::ftruncate(errors_, 0) != 0) words_.clear();
}

bool ChildProcess::say(std::string_view line, int limit_ms) {
  if (stopped_) return false;
  cut_errors();
  const std::int64_t deadline_ns = deadline_in(limit_ms);
  std::string text(line);
  text += '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count =
        ::send(speech_, text.data() + sent, text.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      if (!comes(speech_, POLLOUT, deadline_ns, [this] { cut_errors(); })) return false;
      continue;
    }
    if (count <= 0) return false;
    sent += std::size_t(count);
  }
  return true;
}

ChildProcess::Heard ChildProcess::hear(int limit_ms, std::string& line) {
  if (!stopped_) cut_errors();
  const std::int64_t deadline_ns = deadline_in(limit_ms);
  std::array<char, 1 << 14> chunk{};
  while (true) {
    if (const std::size_t end = pending_.find('\n'); end != std::string::npos) {
      line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return Heard::line;
    }
    if (stopped_ || pending_.size() > longest_line_bytes) return Heard::end;
    if (!comes(hearing_, POLLIN, deadline_ns, [this] { cut_errors(); })) return Heard::silence;
    const ssize_t count = ::read(hearing_, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Heard::end;
    pending_.append(chunk.data(), std::size_t(count));
  }
}

void ChildProcess::stop(int farewell_ms) {
  if (stopped_) return;
  stopped_ = true;
  ::shutdown(speech_, SHUT_WR);
  // Its death closes its output, unless its own children hold it: then the limit decides.
  const std::int64_t deadline_ns = deadline_in(farewell_ms);
  std::array<char, 1 << 14> rest{};
  while (comes(hearing_, POLLIN, deadline_ns, [this] { cut_errors(); }) &&
         ::read(hearing_, rest.data(), rest.size()) > 0) {
  }
  // Closing its output comes moments before its end; a kill in between would change how it ended.
  siginfo_t seen{};
  while (::waitid(P_PID, id_t(pid_), &seen, WEXITED | WNOHANG | WNOWAIT) == 0 && seen.si_pid == 0 &&
         steady_clock().now_ns() < deadline_ns)
    ::poll(nullptr, 0, 1);
  killed_ = seen.si_pid == 0;
  ::kill(-pid_, SIGKILL);  // before the wait: until then the group's number is nobody else's
  while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
  }
  words_ = tail_of(errors_, words_);
  close_all({speech_, hearing_, errors_});
}

std::string ChildProcess::ending() const {
  if (!stopped_) return "is running";
  if (killed_) return "was stopped";
  if (WIFSIGNALED(status_)) return fmt::format("was killed by signal {}", WTERMSIG(status_));
  return fmt::format("ended with exit code {}", WEXITSTATUS(status_));
}

int ChildProcess::signal() const {
  return stopped_ && !killed_ && WIFSIGNALED(status_) ? WTERMSIG(status_) : 0;
}

std::string ChildProcess::last_words() const { return trimmed(stopped_ ? words_ : tail_of(errors_, words_)); }

}  // namespace perflab
