#pragma once
// Error and PL_CHECK — how perflab says that something is wrong.
//
// Every failure that a caller can cause is a perflab::Error whose text reads "who: what was given; what was
// expected; what to do". Its kind decides the exit code, in one place: exit_code(). Thread-safe; no global
// state.

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace perflab {

enum class ErrorKind { check, usage, data, io, environment, distributed, interrupted };

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

// Process exit codes (docs/measuring.md has the table a user sees).
namespace exit_codes {
inline constexpr int ok = 0;
inline constexpr int wrong = 1;             // a result was wrong, a gate fired, or a bug of ours
inline constexpr int usage = 2;             // bad command line, or --out cannot be used
inline constexpr int no_samples = 3;        // a case ended without one valid sample
inline constexpr int data = 4;              // a data file is broken
inline constexpr int io = 5;                // a write failed, disk full
inline constexpr int environment = 6;       // this machine cannot build or run it
inline constexpr int distributed = 7;       // ranks disagree or a timeout
inline constexpr int nothing_to_test = 77;  // a lab alone had nothing to measure here
inline constexpr int interrupted = 130;     // Ctrl-C; partial results kept
}  // namespace exit_codes

int exit_code(ErrorKind kind);

// Throws Error(kind, text); formatted with {fmt}.
template <typename... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> text, Args&&... args) {
  throw Error(kind, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace perflab

// PL_CHECK(condition, "who: given {}; want {}", a, b): throws Error(ErrorKind::check) unless the condition
// holds.
#define PL_CHECK(condition, ...)                                 \
  do {                                                           \
    if (!(condition)) [[unlikely]]                               \
      ::perflab::fail(::perflab::ErrorKind::check, __VA_ARGS__); \
  } while (false)
