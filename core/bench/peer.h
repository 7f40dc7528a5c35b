#pragma once
// Peer — a real library (NumPy, PyTorch ...) at work in its own long-lived process, timed by its own clock.
//
// A library runs as its users run it: own process, own threads, own allocator, no state of ours. The child
// says who it is, then does one work per request line and answers with the seconds around the work alone, so
// neither its start nor the pipe is part of a time. A handle; copies share one child. Not thread-safe. The
// child never outlives the last handle nor this process.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/process.h"
#include "bench/json.h"

namespace perflab {

// What a child says of itself when it is ready.
struct PeerIdentity {
  std::string kind;              // numpy | torch | torch_cpp | python
  std::string library, version;  // "NumPy", "1.24.2"
  std::string blas;              // "OpenBLAS 0.3.21"; "" if it uses none
  int threads = 1;               // of the pool that does its work, as the library itself counts them
  int blas_threads = 0;          // of its BLAS; 0: none, or unknown
  std::string runtime;           // "Python 3.11.2" | "C++"
  long pid = 0;

  std::string subject() const;  // "framework:NumPy-1.24.2", as a verdict's subject
  std::string label() const;    // "NumPy 1.24.2, OpenBLAS 0.3.21, 1 thread"
  Json json() const;
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
  // One work, once, untimed by us. Error(environment) if the child fails: its exception, the signal that
  // killed it, its silence, garbage. After all but an exception the child is gone and is_alive() is false.
  // WrongResult if the work found its own result wrong.
  PeerAnswer run(std::string_view work, const PeerSettings& settings = {}, int limit_ms = 120'000) const;
  bool is_alive() const;

 private:
  struct Life;
  std::shared_ptr<Life> life_;
};

// Why there is no such peer here: what Case::skip() takes.
struct Absent {
  std::string reason_code;  // peer_missing:torch | peer_broken:torch
  std::string sentence;     // "PyTorch is not installed for python3, /usr/bin/python3; install python3-torch"
};

struct FoundPeer {
  std::optional<Peer> peer{};
  Absent absent{};  // read only where there is no peer
  explicit operator bool() const { return peer.has_value(); }
  const Peer* operator->() const { return &*peer; }
  const Peer& operator*() const { return *peer; }
};

// Environment of a peer whose every pool has this many threads; 0: all processors that this process may use.
Variables peer_threads(int threads);

// The peer of that kind and environment: one child per pair, started at the first call and kept until this
// process ends, because importing PyTorch takes seconds. A dead one is replaced.
//   const FoundPeer numpy = find_peer("numpy", peer_threads(1));
//   if (!numpy) return c.skip(numpy.absent.reason_code, numpy.absent.sentence);
//   c.measure_counts([peer = *numpy](Counts& counts) {
//     counts.set("numpy_loop_s", peer.run("numpy_loop", {{"dtype", "f64"}, {"n", "1000"}}).seconds);
//   });
// Kinds: python (python_threads), numpy (the same and numpy_loop), torch (torch_loop, torch_ops), torch_cpp
// (torch_ops issued from C++). experiments/peers/README.md lists works, settings and named numbers.
FoundPeer find_peer(std::string_view kind, const Variables& variables);

// The peers that find_peer() started in this process, in that order: for the run's manifest.
std::vector<PeerIdentity> started_peers();

}  // namespace perflab
