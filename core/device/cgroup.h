#pragma once
// cgroup — the control groups that this process is in: its own and every one above it, of both versions.
//
// Any of them may be the one that limits, and only that one counts how often it did. Inside a container the
// mount's root is often the process's own group, whatever path the kernel tells. `root` as in topology.h.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace perflab {

// Their folders, each once, innermost first; controller is "cpu" or "memory".
std::vector<std::filesystem::path> cgroup_folders(std::string_view controller,
                                                  const std::filesystem::path& root = "/");

// The files cpu.stat in which throttling is counted.
std::vector<std::filesystem::path> throttling_files(const std::filesystem::path& root = "/");
// The sum of "name value" lines over the files; nothing if none has such a line.
std::optional<std::int64_t> counted_in(const std::vector<std::filesystem::path>& files,
                                       std::string_view name);

}  // namespace perflab
