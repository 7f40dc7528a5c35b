#include "base/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <utility>

#include "base/check.h"
#include "base/units.h"

namespace perflab {
namespace {

constexpr std::size_t buffer_limit_bytes = 1 << 16;

// What a reader needs to mend it: how much room there is, or how large a file may be.
std::string remedy(int error, const std::filesystem::path& path) {
  if (error == ENOSPC || error == EDQUOT) {
    struct statvfs disk {};
    const std::filesystem::path folder = path.parent_path();
    const bool known = ::statvfs(folder.empty() ? "." : folder.c_str(), &disk) == 0;
    return fmt::format("{}; free some space, or choose another folder with --out",
                       known ? fmt::format("; {} are free there",
                                           format_bytes(double(disk.f_bavail) * double(disk.f_frsize)))
                             : "");
  }
  struct rlimit most {};
  if (error == EFBIG && ::getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
    return fmt::format("; a file may hold {} here (ulimit -f)", format_bytes(double(most.rlim_cur)));
  return "";
}

[[noreturn]] void fail_io(const char* what, const std::filesystem::path& path) {
  const int error = errno;
  fail(ErrorKind::io, "cannot {} '{}': {}{}", what, path.string(), std::strerror(error), remedy(error, path));
}

void write_all(int descriptor, std::string_view text, const std::filesystem::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_io("write", path);
    text.remove_prefix(std::size_t(written));
  }
}

// Makes a rename or a new name durable. Some filesystems refuse to fsync a folder; the data itself is safe by
// then.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

std::filesystem::path part_of(const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  return part;
}

}  // namespace

AppendFile::AppendFile(std::filesystem::path final_path) : AppendFile(final_path, part_of(final_path)) {}

AppendFile::AppendFile(std::filesystem::path final_path, std::filesystem::path part_path)
    : final_path_(std::move(final_path)), part_path_(std::move(part_path)) {
  descriptor_ = ::open(part_path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail_io("open", part_path_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : final_path_(std::move(other.final_path_)),
      part_path_(std::move(other.part_path_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AppendFile::~AppendFile() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const Error&) {  // the file keeps its .part name, which says that it is unfinished
  }
  ::close(descriptor_);
}

void AppendFile::append(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= buffer_limit_bytes) flush();
}

void AppendFile::flush() {
  const std::string pending =
      std::exchange(buffer_, {});  // dropped on failure: a retry must not write half a line twice
  write_all(descriptor_, pending, part_path_);
}

void AppendFile::finish() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail_io("fsync", part_path_);
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_io("close", part_path_);
  if (::rename(part_path_.c_str(), final_path_.c_str()) != 0) fail_io("rename", part_path_);
  sync_folder(final_path_.parent_path());
}

std::string read_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_io("open", path);
  std::string text;
  std::array<char, 1 << 16> chunk{};
  while (true) {
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      ::close(descriptor);
      errno = error;
      fail_io("read", path);
    }
    if (count == 0) break;
    text.append(chunk.data(), std::size_t(count));
  }
  ::close(descriptor);
  return text;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  std::filesystem::path own = path;  // of this call alone: two processes share results/latest
  own += fmt::format(".{}_{:08x}.part", ::getpid(), std::random_device{}());
  try {
    AppendFile file(path, own);
    file.append(text);
    file.finish();
  } catch (const Error&) {
    ::unlink(own.c_str());
    throw;
  }
}

}  // namespace perflab
