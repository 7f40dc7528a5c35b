#pragma once
// output — what a program prints for its reader on stdout: lost to nobody without a word, and no reason to
// lose more.
//
// A reader that went away (| head) has seen what it wanted: nothing fails for it. A full disk behind a
// redirection must show in the exit code, but a measurement goes on. say() therefore never throws, and
// finish_output() tells.

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace perflab {

template <typename... Args>
void say(fmt::format_string<Args...> text, Args&&... args) {
  const std::string whole = fmt::format(text, std::forward<Args>(args)...);
  std::fwrite(whole.data(), 1, whole.size(), stdout);
}

// At the end of main. The exit code: `code`, or io with a sentence if what was printed could not be written.
int finish_output(int code);

}  // namespace perflab
