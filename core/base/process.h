#pragma once
// capture — runs a small helper program (git, python) and keeps what it prints. Never through a shell.
//
// The child's input is empty and its error output is dropped. One that outlives the time limit is killed.
// Thread-safe.

#include <string>
#include <vector>

namespace perflab {

struct Captured {
  bool ok = false;     // it was started, ended by itself and returned 0
  int exit_code = -1;  // 127: could not be started; -1: killed by a signal or by the time limit
  std::string output;
};

Captured capture(const std::vector<std::string>& argv, int timeout_ms = 5000);

}  // namespace perflab
