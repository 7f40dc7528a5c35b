#include "bench/peers.h"

#include <fmt/ranges.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <set>

#include "base/check.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/python.h"
#include "bench/build_info.h"
#include "device/topology.h"

namespace perflab {
namespace {

constexpr const char* peers_file = "peers.json";

struct Kind {
  const char* name;
  const char* module;   // what a Python must have; nullptr: the peer is a program of this build
  const char* library;  // for sentences
  const char* package;
};

constexpr std::array kinds = {Kind{"python", "json", "Python", "python3"},
                              Kind{"numpy", "numpy", "NumPy", "python3-numpy"},
                              Kind{"torch", "torch", "PyTorch", "python3-torch"},
                              Kind{"torch_cpp", nullptr, "PyTorch's C++ library", "libtorch-dev"}};

const Kind& kind_named(std::string_view name) {
  std::vector<std::string> known;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    known.push_back(kind.name);
  }
  fail(ErrorKind::check, "find_peer: kind is '{}'; want one of {}", name, fmt::join(known, ", "));
}

struct Command {
  std::vector<std::string> argv;  // empty: absent
  Absent absent;
  std::string passed_over{};
};

Absent missing(const Kind& kind, const std::string& where, const std::string& what_to_do) {
  return {
      fmt::format("peer_missing:{}", kind.name),
      fmt::format("{} is not installed for {}; install {}{}", kind.library, where, kind.package, what_to_do)};
}

Command command_of(const Kind& kind, const std::vector<std::string>& pythons) {
  if (kind.module == nullptr) {
    const std::filesystem::path program = build_info().binary_dir / "experiments/peers/torch_peer";
    std::error_code error;
    if (std::filesystem::exists(program, error)) return {{program.string()}, {}};
    return {{}, missing(kind, "this build", " and build again")};
  }
  const Python python = find_python({kind.module}, pythons);
  if (python.program.empty()) return {{}, missing(kind, python.tried, ""), python.passed_over};
  const std::filesystem::path script = build_info().source_dir / "experiments/peers/peer.py";
  return {{python.program, "-B", script.string(), kind.name}, {}, python.passed_over};
}

struct Started {
  std::string kind;
  Variables variables;
  FoundPeer found;
};

// A list and not a place in a case, because the children of one point serve the next one too.
std::vector<Started>& all_started() {
  steady_clock();  // made before the list is, so that it is still there when the last children are stopped
  static std::vector<Started> started;
  return started;
}

Json record_of(const Started& one) {
  Json variables{Json::Object{}};
  for (const auto& [name, value] : one.variables) variables.set(name, value);
  Json record{Json::Object{{"kind", one.kind}, {"variables", variables}}};
  if (!one.found) {
    record.set("absent", one.found.absent.reason_code);
    record.set("sentence", one.found.absent.sentence);
    return record;
  }
  const Json identity = one.found->identity().json();
  for (const auto& [name, value] : identity.object()) record.set(name, value);
  return record;
}

}  // namespace

Variables peer_threads(int threads) {
  PL_CHECK(threads >= 0, "peer_threads: threads={}; want 1 or more, or 0 for all", threads);
  const std::string count = std::to_string(threads > 0 ? threads : this_machine().effective_cpus);
  Variables variables;
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"})
    variables.emplace_back(name, count);
  // Idle threads go to sleep soon instead of spinning on a processor that another process is measured on.
  variables.emplace_back("OMP_WAIT_POLICY", "passive");
  variables.emplace_back("OPENBLAS_THREAD_TIMEOUT", "20");  // 2^20 ticks, a third of a millisecond
  return variables;
}

FoundPeer start_peer(std::string_view name, const Variables& variables,
                     const std::vector<std::string>& pythons, int start_limit_ms) {
  const Kind& kind = kind_named(name);
  const Command command = command_of(kind, pythons);
  FoundPeer found{.absent = command.absent, .passed_over = command.passed_over};
  if (command.argv.empty()) return found;
  try {
    found.peer = Peer(kind.name, command.argv, variables, start_limit_ms);
  } catch (const Error& error) {
    found.absent = {fmt::format("peer_broken:{}", kind.name), error.what()};
  }
  return found;
}

FoundPeer find_peer(std::string_view name, const Variables& variables) {
  const auto start = [&] {
    FoundPeer found = start_peer(name, variables, usual_pythons());
    if (!found.passed_over.empty()) fmt::print(stderr, "peer {}: {}\n", name, found.passed_over);
    return found;
  };
  for (Started& known : all_started()) {
    if (known.kind != name || known.variables != variables) continue;
    if (known.found && !known.found->is_alive()) known.found = start();
    return known.found;
  }
  all_started().push_back({std::string(name), variables, start()});
  return all_started().back().found;
}

void record_peers(const std::filesystem::path& lab_folder) {
  if (all_started().empty()) return;
  const std::filesystem::path file = lab_folder / peers_file;
  Json::Array peers;
  std::set<std::string> known;
  std::error_code error;
  if (std::filesystem::is_regular_file(file, error))
    peers = Json::parse(read_file(file), file.string()).array();
  for (const Json& peer : peers) known.insert(peer.dump());
  const std::size_t before = peers.size();
  for (const Started& one : all_started())
    if (Json peer = record_of(one); known.insert(peer.dump()).second) peers.push_back(std::move(peer));
  if (peers.size() > before) write_file_atomically(file, Json(std::move(peers)).dump());
}

Json read_peers(const std::filesystem::path& run_folder, const std::vector<std::string>& labs) {
  Json all{Json::Object{}};
  std::error_code error;
  for (const std::string& lab : labs)
    if (const auto file = run_folder / lab / peers_file; std::filesystem::is_regular_file(file, error))
      all.set(lab, Json::parse(read_file(file), file.string()));
  return all;
}

}  // namespace perflab
