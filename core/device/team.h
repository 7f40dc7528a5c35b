#pragma once
// Team — a fixed number of threads that run one function together, each with its own index.
//
// The calling thread is member 0. run() returns when every member has. Members spin briefly for the next run,
// then sleep, so back-to-back runs cost about a microsecond. CMake picks the engine: OpenMP (default) or
// std::thread (PERFLAB_OPENMP=OFF, tsan). run() must not be nested or called from two threads at once. An
// exception in a member is rethrown by run() after all have finished; the first one wins.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perflab {

class Team {
 public:
  explicit Team(int threads);  // 1..1024, else Error(check)
  ~Team();
  Team(Team&&) noexcept;
  Team& operator=(Team&&) noexcept;

  int threads() const;
  void run(const std::function<void(int member)>& work);
  int last_census() const;  // distinct operating-system threads that took part in the last run()

  static std::string engine();  // "openmp" or "std::thread"
  // How many threads a library with OpenMP of its own may use in calls that this thread makes from now on.
  // Without OpenMP here, such a library keeps to its environment (OMP_NUM_THREADS): then this does nothing.
  static void limit_library_threads(int threads);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct Range {
  std::int64_t begin, end;
};
// Member's share of 0..count, split evenly in multiples of `grain` (the last share takes the rest).
Range share(std::int64_t count, int member, int members, std::int64_t grain = 1);

// For team engines: rethrows the first exception, if any, and clears them all.
void rethrow_first(std::vector<std::exception_ptr>& errors);

}  // namespace perflab
