// Teams on OpenMP: one parallel region per run. The runtime's own pool keeps the threads.

#include <omp.h>

#include <algorithm>
#include <exception>
#include <set>
#include <thread>
#include <vector>

#include "base/check.h"
#include "device/team.h"

namespace perflab {

struct Team::State {
  explicit State(int count) : errors(std::size_t(count)), ids(std::size_t(count)) {}
  std::vector<std::exception_ptr> errors;
  std::vector<std::thread::id> ids;
  int took_part = 0;
};

Team::Team(int threads) {
  PL_CHECK(threads >= 1 && threads <= 1024, "team: {} threads; want 1..1024", threads);
  omp_set_dynamic(0);
  state_ = std::make_unique<State>(threads);
}

Team::~Team() = default;
Team::Team(Team&&) noexcept = default;
Team& Team::operator=(Team&&) noexcept = default;

int Team::threads() const { return int(state_->errors.size()); }

void Team::run(const std::function<void(int)>& work) {
  State& state = *state_;
  const int wanted = threads();
  state.took_part = 1;
#pragma omp parallel num_threads(wanted)
  {
    const int member = omp_get_thread_num();
    if (member == 0) state.took_part = omp_get_num_threads();
    state.ids[std::size_t(member)] = std::this_thread::get_id();
    try {
      work(member);
    } catch (...) {
      state.errors[std::size_t(member)] = std::current_exception();
    }
  }
  PL_CHECK(state.took_part == wanted, "team: {} threads took part; want {} (is OMP_THREAD_LIMIT set?)",
           state.took_part, wanted);
  rethrow_first(state.errors);
}

int Team::last_census() const {
  return int(std::set<std::thread::id>(state_->ids.begin(), state_->ids.begin() + state_->took_part).size());
}

std::string Team::engine() { return "openmp"; }

// oneDNN cuts a product into as many parts as it believes to get threads, and leaves out those of threads
// that do not come: neither OMP_DYNAMIC nor OMP_THREAD_LIMIT may make them fewer.
void Team::limit_library_threads(int threads) {
  omp_set_dynamic(0);
  omp_set_num_threads(std::min(threads, omp_get_thread_limit()));
}

}  // namespace perflab
