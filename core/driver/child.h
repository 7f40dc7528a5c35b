#pragma once
// Child — a program that the driver starts and waits for, sharing its terminal.
//
// Ctrl-C on a terminal reaches driver and child alike, because they are one process group; a signal sent to
// the driver alone is passed on. The driver itself never dies of one: it waits for the child, which keeps its
// complete blocks. A child whose driver is killed outright gets SIGTERM. One child at a time; main thread
// only.

#include <string>
#include <vector>

#include "base/process.h"
#include "base/stop.h"

namespace perflab {

struct ChildEnd {
  int exit_code = 0;  // 127: could not be started
  int signal = 0;     // that killed it; 0 = it ended by itself
};

void catch_stop_signals();  // SIGINT, SIGTERM, SIGHUP request a stop; once, before the first child
void let_writes_fail();     // with an error, where a signal would end the process

// Variables are added to the environment, replacing those of the same name. The child's input is empty.
ChildEnd run_child(const std::vector<std::string>& argv, const Variables& variables = {});

}  // namespace perflab
