#pragma once
// Progress — one line per case with the time left: rewritten in place on a terminal, plain lines elsewhere.

#include <cstdint>
#include <string>

namespace perflab {

class Progress {
 public:
  Progress(std::string lab_id, int cases, bool terminal);
  void begin(const std::string& case_id);  // terminal only
  void end(const std::string& case_id, const std::string& outcome, std::int64_t elapsed_ns);
  // What end() prints, without terminal control; for tests.
  std::string line(const std::string& case_id, const std::string& outcome, std::int64_t elapsed_ns) const;

 private:
  std::string lab_id_;
  int cases_, done_ = 0;
  bool terminal_;
};

}  // namespace perflab
