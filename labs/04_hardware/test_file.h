#pragma once
// TestFile — a file of known contents on a real disk, for reads that are timed. It has no name: whatever
// happens to the process, nothing is left behind. Not thread-safe.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "buffer.h"

namespace perflab::hardware {

// "" if files in `folder` end up on a disk, else why not: memory_filesystem, shared_filesystem, unreadable.
std::string not_a_disk(const std::filesystem::path& folder);
// The first of the usual places for temporary files that is on a disk; empty if none is.
std::filesystem::path disk_folder();

class TestFile {
 public:
  // Error(io) if the file cannot be written. Half made, it disappears too.
  TestFile(const std::filesystem::path& folder, std::int64_t bytes, std::uint32_t seed);
  ~TestFile();
  TestFile(const TestFile&) = delete;

  std::int64_t bytes() const { return bytes_; }
  bool direct() const { return direct_; }  // reads bypass the system's page cache
  // Reads `count` bytes at `offset` (both multiples of 4096) into a buffer of its own.
  void read(std::int64_t offset, std::int64_t count);
  bool holds(std::int64_t offset,
             std::int64_t count) const;  // whether the last read brought what was written there

 private:
  int descriptor_ = -1;
  std::int64_t bytes_;
  std::uint32_t seed_;
  bool direct_ = false;
  Buffer buffer_;
};

std::shared_ptr<TestFile> shared_test_file(std::int64_t bytes, std::uint32_t seed);  // on disk_folder()

}  // namespace perflab::hardware
