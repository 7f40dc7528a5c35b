#pragma once
// find_peer — the peers of this process: what a lab asks for when it wants NumPy or PyTorch beside it.
//
//   const FoundPeer numpy = find_peer("numpy", peer_threads(1));
//   if (!numpy) return c.skip(numpy.absent.reason_code, numpy.absent.sentence);
//   c.measure_counts([peer = *numpy](Counts& counts) {
//     counts.set("numpy_loop_s", peer.run("numpy_loop", {{"dtype", "f64"}, {"n", "1000"}}).seconds);
//   });
//
// A missing library is a value, not an error. Main thread only: the children die with the thread that started
// them.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peer.h"

namespace perflab {

// Why there is no such peer here: what Case::skip() takes.
struct Absent {
  std::string reason_code;  // peer_missing:torch | peer_broken:torch
  std::string sentence;     // "PyTorch is not installed for python3, /usr/bin/python3; install python3-torch"
};

struct FoundPeer {
  std::optional<Peer> peer{};
  Absent absent{};            // read only where there is no peer
  std::string passed_over{};  // Python::passed_over, for the reader
  explicit operator bool() const { return peer.has_value(); }
  const Peer* operator->() const { return &*peer; }
  const Peer& operator*() const { return *peer; }
};

// Environment of a peer whose every pool has this many threads; 0: as many as this process may use CPUs.
Variables peer_threads(int threads);

// The peer of that kind and environment: one child per pair, started at the first call and kept until this
// process ends, because importing PyTorch takes seconds. A dead one is replaced. Error(check) for an unknown
// kind. Kinds: python (the interpreter alone), numpy, torch, torch_cpp (PyTorch's operators issued from C++).
FoundPeer find_peer(std::string_view kind, const Variables& variables);

// The same without keeping it; `pythons` are looked through for the library.
FoundPeer start_peer(std::string_view kind, const Variables& variables,
                     const std::vector<std::string>& pythons, int start_limit_ms = 15'000);

// What find_peer() was asked for in this process and what it found, in that order, added to peers.json of the
// lab's folder, each thing once: [{kind, variables, library, version, blas, threads, ...} or {kind,
// variables, absent, sentence}]. Nothing was asked for: no file.
void record_peers(const std::filesystem::path& lab_folder);
// {lab: its peers.json} of the labs that have one; the run's manifest keeps it.
Json read_peers(const std::filesystem::path& run_folder, const std::vector<std::string>& labs);

}  // namespace perflab
