#pragma once
// ChildProcess — a program that stays and is spoken with: text lines go to its input and come from its
// output.
//
// What it prints on stderr is kept for error messages, in memory without a name, so that it can never block;
// of much only the end is kept, looked at whenever it is spoken with or listened to. It has a process group
// of its own: Ctrl-C on the terminal is ours alone to handle, and its own children can be ended with it. It
// dies with the thread that started it (PR_SET_PDEATHSIG), so start it from one that lives as long. Not
// thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace perflab {

class ChildProcess {
 public:
  enum class Heard { line, silence, end };

  // environment: of environment_with(). Error(environment) if no process can be made; a program that cannot
  // be started ends at once with exit code 127.
  ChildProcess(const std::vector<std::string>& argv, const std::vector<std::string>& environment);
  ~ChildProcess();  // stop()
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Adds the LF. False if nobody reads it any more, or not all of it within the limit: then half a line may
  // have gone out, and the child is of no more use.
  bool say(std::string_view line, int limit_ms = 10'000);
  // The next line without its LF. end: it closed its output, or one line is longer than a mebibyte. silence
  // also when the user wants to stop (stop.h): nobody waits then.
  Heard hear(int limit_ms, std::string& line);

  // Closes its input, gives it a moment to end by itself, kills it and whatever is left of its process group,
  // and waits: afterwards there is no such process. Once is enough; never throws.
  void stop(int farewell_ms = 300);
  bool is_stopped() const { return stopped_; }
  long pid() const { return pid_; }
  std::string ending() const;      // after stop(): "ended with exit code 3", "was killed by signal 11"
  int signal() const;              // after stop(): that ended it by itself; 0 if none did, or we did
  std::string last_words() const;  // the last lines of its stderr, at most 2,000 bytes

 private:
  void cut_errors();  // forgets all but the end of what it printed on stderr, if that is much

  int pid_ = -1, status_ = 0;
  int speech_ = -1, hearing_ = -1, errors_ = -1;
  bool stopped_ = false, killed_ = false;
  std::string pending_, words_;  // words_: before the last cut; after stop(), the last ones
};

}  // namespace perflab
