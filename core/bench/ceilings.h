#pragma once
// Ceilings — the fastest this machine was ever seen to go, per memory level, access pattern and thread count.
//
// A ceiling is the largest valid sample, not a median: neighbours on the memory bus only ever make things
// slower. Kept in results/ceilings/<fingerprint>.csv, copied into each run. Columns: level, pattern, threads,
// rate, unit, run_id.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perflab {

struct Ceiling {
  std::string level, pattern;
  int threads = 1;
  double rate = 0;  // GB/s, or GFLOP/s when level is "compute"
  std::string run_id;
};

// Patterns whose rate can be a ceiling: STREAM's, plain or "_nt", and "fma". A kernel of any other pattern is
// held to the roof of its level and never raises it.
bool is_ceiling_pattern(std::string_view pattern);

class Ceilings {
 public:
  static Ceilings read(const std::filesystem::path& path);  // a missing file is an empty set
  void write(const std::filesystem::path& path) const;      // atomically, sorted
  bool raise(const Ceiling& candidate);                     // keeps the larger; true if something changed
  std::optional<Ceiling> find(std::string_view level, std::string_view pattern, int threads) const;
  // Largest rate at this level over all patterns and at most this many threads: the roof for a kernel of
  // another pattern. Nothing where this number of threads was never measured: more threads may be faster.
  std::optional<double> roof(std::string_view level, int threads) const;
  const std::vector<Ceiling>& rows() const { return rows_; }
  bool empty() const { return rows_.empty(); }

 private:
  std::vector<Ceiling> rows_;
};

}  // namespace perflab
