#pragma once
// Google Benchmark's flags on a lab's command line: told apart by their prefix, looked up as the library
// does, and checked for values at which the library would abort, exit 0, or run for nothing.
//
// Pure functions, but for the environment that benchmark_flag reads; the library's header is not needed here.

#include <string>
#include <string_view>
#include <vector>

namespace perflab {

struct SplitWords {
  std::vector<std::string> ours;       // the program's name first
  std::vector<std::string> benchmark;  // all that begin with --benchmark_, in order
};
SplitWords split_benchmark_flags(const std::vector<std::string>& argv);

// The value that the library goes by: the last --benchmark_NAME=VALUE, else the environment's BENCHMARK_NAME,
// else "".
std::string benchmark_flag(const std::vector<std::string>& flags, std::string_view name);

// Error(usage) for a value that no version of the library takes, or a file that cannot be written.
void check_benchmark_flags(const std::vector<std::string>& flags);

// Why the library left this flag over: a sentence with the nearest flag that exists.
std::string unknown_benchmark_flag(std::string_view flag, std::string_view library_version);

}  // namespace perflab
