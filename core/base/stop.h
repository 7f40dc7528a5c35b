#pragma once
// stop — that the user wants this process to end: a flag that signal handlers set and long waits look at.
//
// Setting it is safe within a signal handler; both functions may be called from any thread.

namespace perflab {

void request_stop(bool wanted = true) noexcept;  // false: for tests, which go on
bool stop_requested() noexcept;

}  // namespace perflab
