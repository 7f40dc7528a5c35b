#include "driver/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/check.h"
#include "base/process.h"
#include "base/stop.h"

namespace perflab {
namespace {

constexpr std::array stop_signals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t stops_seen = 0;
std::atomic<pid_t> current_child{0};
static_assert(std::atomic<pid_t>::is_always_lock_free);

// SI_KERNEL: from the terminal, which has sent it to the child as well. The third one is for a child that
// does not listen.
void on_stop(int number, siginfo_t* info, void*) {
  const int error = errno;
  const int seen = stops_seen + 1;
  stops_seen = seen;
  request_stop();
  const pid_t child = current_child.load();
  if (child > 0 && seen >= 3) ::kill(child, SIGKILL);
  else if (child > 0 && info->si_code != SI_KERNEL) ::kill(child, number);
  errno = error;
}

sigset_t stop_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : stop_signals) sigaddset(&set, number);
  return set;
}

// Between fork and exec. The stop signals are blocked until their default action is back, so that none is
// lost in between.
[[noreturn]] void become(char* const* argv, char* const* environment, pid_t parent,
                         const sigset_t& old_mask) {
  for (const int number : stop_signals) std::signal(number, SIG_DFL);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // it died before the line above
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  ::sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  ::execve(argv[0], argv, environment);
  ::_exit(127);
}

}  // namespace

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_sigaction = on_stop;
  action.sa_flags = SA_SIGINFO;  // no SA_RESTART: a wait must notice
  for (const int number : stop_signals) sigaction(number, &action, nullptr);
}

void let_writes_fail() {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away (| head) must not cost the run
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit: the error then names the file
}

ChildEnd run_child(const std::vector<std::string>& argv, const Variables& variables) {
  PL_CHECK(!argv.empty(), "run_child: an empty command; want a program and its arguments");
  const std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> arguments = pointers_to(argv), entries = pointers_to(environment);
  const sigset_t stops = stop_set();
  sigset_t old_mask;
  ::sigprocmask(SIG_BLOCK, &stops, &old_mask);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) become(arguments.data(), entries.data(), parent, old_mask);
  current_child = child;
  ::sigprocmask(SIG_SETMASK, &old_mask, nullptr);
  if (child < 0) fail(ErrorKind::environment, "cannot start '{}': fork failed", argv.front());

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  current_child = 0;
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

}  // namespace perflab
