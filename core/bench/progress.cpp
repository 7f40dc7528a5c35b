#include "bench/progress.h"

#include <algorithm>
#include <cstdio>

#include "base/check.h"

namespace perflab {
namespace {

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

// Carriage return and "erase to the end of the line", understood by every terminal in use.
constexpr const char* rewind_line = "\r\033[K";
constexpr std::size_t narrow = 78;

}  // namespace

Progress::Progress(std::string lab_id, int cases, bool terminal)
    : lab_id_(std::move(lab_id)), cases_(cases), terminal_(terminal) {}

void Progress::begin(const std::string& case_id) {
  if (!terminal_) return;
  const std::string text = fmt::format("{} [{}/{}] {}", lab_id_, done_ + 1, cases_, case_id);
  print(rewind_line + text.substr(0, narrow));
}

std::string Progress::line(const std::string& case_id, const std::string& outcome,
                           std::int64_t elapsed_ns) const {
  const int left = cases_ - done_;
  const double elapsed_s = std::max(0.0, double(elapsed_ns) * 1e-9);  // of a clock that was set back: none
  const double seconds_left = elapsed_s / done_ * left;
  return fmt::format("{} [{}/{}] {}  {}{}", lab_id_, done_, cases_, case_id, outcome,
                     left > 0 ? fmt::format(", about {:.0f} s left", seconds_left) : "");
}

void Progress::end(const std::string& case_id, const std::string& outcome, std::int64_t elapsed_ns) {
  ++done_;
  const std::string text = line(case_id, outcome, elapsed_ns);
  const bool last = done_ == cases_;
  print(terminal_ ? rewind_line + text.substr(0, last ? text.size() : narrow) + (last ? "\n" : "")
                  : text + "\n");
}

}  // namespace perflab
