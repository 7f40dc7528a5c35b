#pragma once
// capture — runs a small helper program (git, python) and keeps what it prints. Never through a shell.
//
// The child's input is empty and its error output is dropped. One that outlives the time limit is killed. It
// has a process group of its own, of which nobody is left afterwards, and dies with the thread that waits for
// it. Thread-safe. child_process.h has the child that stays and is spoken with.

#include <string>
#include <utility>
#include <vector>

namespace perflab {

struct Captured {
  bool ok = false;     // it was started, ended by itself and returned 0
  int exit_code = -1;  // 127: could not be started; -1: killed by a signal or by the time limit
  std::string output;
};

Captured capture(const std::vector<std::string>& argv, int timeout_ms = 5000);

using Variables = std::vector<std::pair<std::string, std::string>>;

// This process's environment as NAME=VALUE entries: without the variables whose name starts with one of
// `dropped`, with `added` in place of those of the same name.
std::vector<std::string> environment_with(const Variables& added,
                                          const std::vector<std::string>& dropped = {});

// For exec: pointers into the texts, which must stay where they are, and a null at the end.
std::vector<char*> pointers_to(const std::vector<std::string>& texts);

}  // namespace perflab
