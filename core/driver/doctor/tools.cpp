#include "driver/doctor/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/process.h"
#include "bench/peers.h"
#include "driver/python.h"

namespace perflab {
namespace {

constexpr int peer_limit_ms = 5000;

std::string version_of(const std::vector<std::string>& command) {
  const Captured answer = capture(command);
  return answer.ok ? first_version(answer.output) : "";
}

PeerFound peer(const char* kind) {
  const FoundPeer found = start_peer(kind, {}, usual_pythons(), peer_limit_ms);
  if (found) return {.identity = found->identity()};
  return {.absent = found.absent.sentence.substr(0, found.absent.sentence.find("; install"))};
}

// Importing PyTorch takes seconds; what is installed can be told without.
PeerFound installed_torch() {
  const Python python = find_python({"torch"});
  if (python.program.empty()) return {.absent = fmt::format("PyTorch is not installed for {}", python.tried)};
  PeerFound found;
  found.identity.library = "PyTorch";
  found.identity.version = python.version("torch");
  found.identity.runtime = fmt::format("Python {}", python.version("python"));
  return found;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<int> numbers_of(std::string_view version) {
  std::vector<int> numbers;
  while (!version.empty() && is_digit(version.front())) {
    int value = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + version.size(), value);
    if (error != std::errc()) break;
    numbers.push_back(value);
    version.remove_prefix(std::size_t(end - version.data()));
    if (version.empty() || version.front() != '.') break;
    version.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

std::string first_version(std::string_view output) {
  const std::string_view line = output.substr(0, output.find('\n'));
  for (std::size_t at = 0; at < line.size(); ++at) {
    const bool starts = is_digit(line[at]) && (at == 0 || line[at - 1] == ' ' || line[at - 1] == 'v');
    const std::size_t end = std::min(line.find_first_not_of("0123456789.", at), line.size());
    if (starts && line.substr(at, end - at).find('.') != std::string_view::npos)
      return std::string(line.substr(at, end - at));
  }
  return "";
}

std::string nvcc_release(std::string_view output) {
  constexpr std::string_view word = "release ";
  const std::size_t at = output.find(word);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = output.substr(at + word.size());
  return std::string(rest.substr(0, rest.find_first_not_of("0123456789.")));
}

bool is_older(std::string_view a, std::string_view b) { return numbers_of(a) < numbers_of(b); }

Tools find_tools() {
  Tools tools;
  tools.charts = python_for_charts();
  tools.numpy = peer("numpy");
  tools.torch = installed_torch();
  tools.torch_cpp = peer("torch_cpp");
  tools.mpi = version_of({"mpirun", "--version"});
  tools.compiler = version_of({"c++", "--version"});
  for (const char* program : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
    const Captured answer = capture({program, "--version"});
    if (tools.nvcc = nvcc_release(answer.output); !answer.ok || tools.nvcc.empty()) continue;
    tools.nvcc_program = program;
    break;
  }
  return tools;
}

}  // namespace perflab
