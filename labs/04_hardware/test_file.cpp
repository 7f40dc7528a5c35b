#include "test_file.h"

#include <fcntl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "arrays.h"
#include "base/check.h"

namespace perflab::hardware {
namespace {

constexpr std::int64_t piece_bytes = 1 << 20;

[[noreturn]] void io_failure(const char* what, const std::filesystem::path& where) {
  fail(ErrorKind::io, "disk: {} in {}: {}", what, where.string(), std::strerror(errno));
}

// A file without a name where the system offers that, else one whose name is taken away at once.
int open_nameless(const std::filesystem::path& folder) {
  if (const int made = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); made >= 0) return made;
  std::string name = (folder / "perflab-disk-XXXXXX").string();
  const int made = mkostemp(name.data(), O_CLOEXEC);
  if (made >= 0) unlink(name.c_str());
  return made;
}

bool ask_for_direct_reads(int descriptor) {
  const int flags = fcntl(descriptor, F_GETFL);
  return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_DIRECT) == 0;
}

}  // namespace

std::string not_a_disk(const std::filesystem::path& folder) {
  struct statfs info {};
  if (statfs(folder.c_str(), &info) != 0) return "unreadable";
  switch (std::uint32_t(info.f_type)) {
    case 0x01021994:  // tmpfs
    case 0x858458f6:  // ramfs
      return "memory_filesystem";
    case 0x01021997:  // 9p: another system's file server, with caches of its own
    case 0x6969:      // NFS
      return "shared_filesystem";
    default:
      return "";
  }
}

std::filesystem::path disk_folder() {
  std::error_code none;
  for (const std::filesystem::path& folder :
       {std::filesystem::temp_directory_path(none), std::filesystem::path("/var/tmp"),
        std::filesystem::current_path(none)})
    if (!folder.empty() && not_a_disk(folder).empty() && access(folder.c_str(), W_OK) == 0) return folder;
  return {};
}

TestFile::TestFile(const std::filesystem::path& folder, std::int64_t bytes, std::uint32_t seed)
    : bytes_(bytes), seed_(seed), buffer_(piece_bytes) {
  PL_CHECK(bytes >= piece_bytes && bytes % piece_bytes == 0, "disk: {} bytes; want a multiple of {}", bytes,
           piece_bytes);
  descriptor_ = open_nameless(folder);
  if (descriptor_ < 0) io_failure("no file can be made", folder);
  auto* words = reinterpret_cast<float*>(buffer_.data());
  for (std::int64_t offset = 0; offset < bytes; offset += piece_bytes) {
    for (std::int64_t i = 0; i < piece_bytes / 4; ++i) words[i] = input_value(seed, offset / 4 + i);
    for (std::int64_t done = 0; done < piece_bytes;) {
      const auto wrote =
          pwrite(descriptor_, buffer_.data() + done, std::size_t(piece_bytes - done), offset + done);
      if (wrote < 0 && errno == EINTR) continue;
      if (wrote <= 0) {
        close(descriptor_);
        io_failure("the file cannot be filled", folder);
      }
      done += wrote;
    }
  }
  fdatasync(descriptor_);
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_DONTNEED);
  direct_ = ask_for_direct_reads(descriptor_);
  // Some file systems accept the flag and refuse the read.
  if (direct_ && pread(descriptor_, buffer_.data(), 4096, 0) != 4096) {
    fcntl(descriptor_, F_SETFL, fcntl(descriptor_, F_GETFL) & ~O_DIRECT);
    direct_ = false;
  }
}

TestFile::~TestFile() { close(descriptor_); }

void TestFile::read(std::int64_t offset, std::int64_t count) {
  PL_CHECK(offset >= 0 && count > 0 && count <= piece_bytes && offset + count <= bytes_ &&
               offset % 4096 == 0 && count % 4096 == 0,
           "disk: read of {} bytes at {}; want whole blocks inside {}", count, offset, bytes_);
  for (std::int64_t done = 0; done < count;) {
    const auto got = pread(descriptor_, buffer_.data() + done, std::size_t(count - done), offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      fail(ErrorKind::io, "disk: read of {} bytes at {}: {}", count, offset, std::strerror(errno));
    done += got;
  }
}

bool TestFile::holds(std::int64_t offset, std::int64_t count) const {
  const auto* words = reinterpret_cast<const float*>(buffer_.data());
  for (std::int64_t i = 0; i < count / 4; ++i)
    if (words[i] != input_value(seed_, offset / 4 + i)) return false;
  return true;
}

std::shared_ptr<TestFile> shared_test_file(std::int64_t bytes, std::uint32_t seed) {
  static std::weak_ptr<TestFile> last;
  static std::uint32_t last_seed = 0;
  if (auto kept = last.lock(); kept && kept->bytes() == bytes && last_seed == seed) return kept;
  auto made = std::make_shared<TestFile>(disk_folder(), bytes, seed);
  last = made;
  last_seed = seed;
  return made;
}

}  // namespace perflab::hardware
