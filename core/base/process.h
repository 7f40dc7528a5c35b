#pragma once
// capture — runs a small helper program (git, python) and keeps what it prints. ChildProcess — one that stays
// and is spoken with, line by line. Neither goes through a shell.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perflab {

struct Captured {
  bool ok = false;     // it was started, ended by itself and returned 0
  int exit_code = -1;  // 127: could not be started; -1: killed by a signal or by the time limit
  std::string output;
};

// The child's input is empty and its error output is dropped. One that outlives the time limit is killed.
// Thread-safe.
Captured capture(const std::vector<std::string>& argv, int timeout_ms = 5000);

using Variables = std::vector<std::pair<std::string, std::string>>;

// This process's environment as NAME=VALUE entries: without the variables that start with one of `dropped`,
// with `added` in place of those of the same name.
std::vector<std::string> environment_with(const Variables& added,
                                          const std::vector<std::string>& dropped = {});

// Text lines go to the child's input and come from its output; what it prints on stderr is kept for error
// messages. It is in a process group of its own, so that Ctrl-C on the terminal is ours alone to handle, and
// it dies with the thread that started it (PR_SET_PDEATHSIG): start it from one that lives as long. Not
// thread-safe.
class ChildProcess {
 public:
  enum class Heard { line, silence, end };  // end: it closed its output, or its line never ends

  // environment: of environment_with(). Error(environment) if no process can be made; a program that cannot
  // be started ends at once with exit code 127.
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment);
  ~ChildProcess();  // stop()
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  bool say(std::string_view line);  // adds the LF; false if the child does not take it
  Heard hear(int limit_ms, std::string& line);
  // Closes its input, gives it a moment to end by itself, then kills it with its process group, and waits:
  // afterwards there is no such process. Once is enough; never throws.
  void stop();
  long pid() const { return pid_; }
  bool is_stopped() const { return pid_ < 0; }
  std::string ending() const;      // after stop(): "exit code 3", "signal 11 (Segmentation fault)"
  std::string last_words() const;  // the last lines of its stderr so far; "" if there are none

 private:
  long pid_ = -1;
  int speech_ = -1, hearing_ = -1, errors_ = -1;
  int status_ = 0;
  bool killed_by_us_ = false;
  std::string pending_;
};

}  // namespace perflab
