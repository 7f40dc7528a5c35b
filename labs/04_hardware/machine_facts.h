#pragma once
// Machine facts that only this lab asks for: what kind of memory is plugged in and how fast the network
// adapters are.
//
// Read from /sys under `root` (tests make one up); nothing where the system does not say or does not let us
// read it.

#include <filesystem>
#include <optional>

namespace perflab::hardware {

// 3, 4 or 5 if every fitted memory module reports that generation of DDR. Readable by root only on most
// systems; virtual machines report none.
std::optional<int> ddr_generation(const std::filesystem::path& root = "/");

// Line rate of the fastest physical adapter that has a link: bits per second / 8.
std::optional<double> nic_line_rate_GBps(const std::filesystem::path& root = "/");

}  // namespace perflab::hardware
