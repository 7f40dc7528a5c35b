#pragma once
// Peer — a real library (NumPy, PyTorch ...) at work in its own long-lived process, timed by its own clock.
//
// A library runs as its users run it: own process, own threads, own allocator, no state of ours. The child
// says who it is, then does one work per request line and answers with the seconds around the work alone, so
// neither its start nor the pipe is part of a time. A handle; copies share one child. Not thread-safe. The
// child never outlives the last handle nor this process. experiments/peers/README.md has the works and the
// protocol; peers.h finds and keeps the peers that a lab asks for.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process.h"
#include "bench/json.h"

namespace perflab {

// What a child says of itself when it is ready.
struct PeerIdentity {
  std::string kind{};                // numpy | torch | torch_cpp | python
  std::string library{}, version{};  // "NumPy", "1.24.2"
  std::string blas{};                // "OpenBLAS 0.3.21"; "" if it uses none
  int threads = 1;                   // of the pool that does its work, as the library itself counts them
  int blas_threads = 0;              // of its BLAS; 0: none, or unknown
  std::string runtime{};             // "Python 3.11.2" | "C++"
  long pid = 0;

  std::string subject() const;  // "framework:NumPy-1.24.2", as a verdict's subject
  std::string label() const;    // "NumPy 1.24.2, OpenBLAS 0.3.21, 1 thread"
  Json json() const;            // all but the pid, which says nothing about a run
};

struct PeerAnswer {
  double seconds = 0;                                  // inside the child, around the work alone
  std::map<std::string, double, std::less<>> numbers;  // rng_s, matmul_s, submit_s ... what the work names
  double number(std::string_view name) const;          // Error(data) names what there is
};

using PeerSettings = std::vector<std::pair<std::string, std::string>>;  // key=value of a request; no blanks

class Peer {
 public:
  // Starts argv and waits for its first line. Error(environment) with the child's last words if it ends, is
  // silent or says something else. Inherited thread settings (OMP_*, OPENBLAS_*, MKL_* ...) are taken away;
  // `variables` are added.
  Peer(std::string kind, const std::vector<std::string>& argv, const Variables& variables,
       int start_limit_ms = 15'000);

  const PeerIdentity& identity() const;
  // One work, once. Error(environment) if the child fails: its exception, the signal that killed it, its
  // silence, garbage. After all of these but an exception the child is gone and is_alive() is false.
  // WrongResult if the work found its own result wrong; as after an exception, the child lives on.
  PeerAnswer run(std::string_view work, const PeerSettings& settings = {}, int limit_ms = 120'000) const;
  bool is_alive() const;

 private:
  struct Life;
  std::shared_ptr<Life> life_;
};

}  // namespace perflab
