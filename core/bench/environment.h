#pragma once
// Environment — what the machine was like when a run was made: env.json.
//
// Read from /proc, /sys, the process and the build; never written to, never guessed. A value that cannot be
// read is null and UNKNOWN, which is not the same as fine. `root` is prefixed to every path, so that tests
// read a made-up machine. Only variables of a fixed list are kept: an environment holds secrets.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bench/json.h"

namespace perflab {

enum class EnvStatus { pass, warn, unknown };

struct EnvItem {
  std::string name;
  Json value;
  std::string source;  // file, call or command it was read from
  EnvStatus status = EnvStatus::unknown;
};

std::vector<EnvItem> read_environment(const std::filesystem::path& results_folder,
                                      const std::filesystem::path& root = "/");
// What changed while the run lasted: load, stolen time, throttling. `start` is the env.json of the run's
// beginning.
std::vector<EnvItem> read_environment_end(const Json& start, const std::filesystem::path& root = "/");

Json environment_json(const std::vector<EnvItem>& items);  // {name: {value, source, status}}
bool is_recorded_variable(std::string_view name);          // OMP_NUM_THREADS, LANG, ... and nothing else

// What a filesystem of that name (ext4, 9p, overlay ...) means for a time to read or write.
enum class Storage { disk, memory, layered, shared, unknown };
Storage storage_of(std::string_view filesystem);

}  // namespace perflab
