// Installation::on_terminal: the driver on a pseudo-terminal, spoken with.
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/process.h"
#include "driver/e2e/installation_test.h"

namespace perflab {
namespace {

constexpr int patience_ms = 40'000;  // a bound for what hangs; nothing is read off it

}  // namespace

Outcome Installation::on_terminal(const std::vector<std::string>& words,
                                  const std::vector<Exchange>& exchanges) const {
  std::vector<std::string> command = {program_.string()};
  command.insert(command.end(), words.begin(), words.end());
  const std::vector<char*> argv = pointers_to(command);
  int screen = -1;
  const pid_t child = ::forkpty(&screen, nullptr, nullptr, nullptr);
  if (child == 0) {
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  Outcome outcome;
  std::size_t from = 0, next = 0;
  std::array<char, 4096> chunk{};
  while (true) {
    pollfd ready{screen, POLLIN, 0};
    if (::poll(&ready, 1, patience_ms) <= 0) {
      ::kill(child, SIGKILL);
      ADD_FAILURE() << "nothing came any more after:\n" << outcome.text;
      break;
    }
    const ssize_t got = ::read(screen, chunk.data(), chunk.size());
    if (got <= 0) break;  // EIO: the other end is closed
    outcome.text.append(chunk.data(), std::size_t(got));
    while (next < exchanges.size()) {
      const std::size_t at = outcome.text.find(exchanges[next].shown, from);
      if (at == std::string::npos) break;
      from = at + exchanges[next].shown.size();
      const std::string& typed = exchanges[next++].typed;
      EXPECT_EQ(::write(screen, typed.data(), typed.size()), ssize_t(typed.size()));
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(screen);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  EXPECT_EQ(next, exchanges.size()) << "never shown: "
                                    << exchanges[std::min(next, exchanges.size() - 1)].shown << "\n"
                                    << outcome.text;
  return outcome;
}

}  // namespace perflab
