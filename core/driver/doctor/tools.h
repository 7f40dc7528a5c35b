#pragma once
// Tools — the programs and libraries around perflab, as its labs and charts would find them.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/python.h"
#include "bench/peer.h"

namespace perflab {

struct PeerFound {
  PeerIdentity identity{};
  std::string absent{};  // sentence; "" if it is there
};

struct Tools {
  Python charts{};  // that has numpy, matplotlib and jinja2
  PeerFound numpy{}, torch{}, torch_cpp{};
  std::string mpi{}, compiler{}, nvcc{};  // version; "" if absent
  std::string nvcc_program{};
};

Tools find_tools();

// "Cuda compilation tools, release 13.0, V13.0.48" -> "13.0"; "" if there is no such line.
std::string nvcc_release(std::string_view output);
// The first version number of the first line: "mpirun (Open MPI) 4.1.4" -> "4.1.4".
std::string first_version(std::string_view output);
// Is version a older than b, number by number? "9.1.0" < "10"; words after the numbers do not count.
bool is_older(std::string_view a, std::string_view b);

}  // namespace perflab
