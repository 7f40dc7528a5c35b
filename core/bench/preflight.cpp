#include "bench/preflight.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/check.h"
#include "base/file.h"
#include "base/units.h"

namespace perflab {
namespace {

static_assert(std::chrono::steady_clock::is_steady);

[[noreturn]] void refuse(const std::filesystem::path& out, const char* what, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  fail(full ? ErrorKind::io : ErrorKind::usage, "cannot use '{}' for results: {}: {}; {}", out.string(), what,
       std::strerror(error),
       full ? "free some space, or choose another folder with --out" : "choose another folder with --out");
}

// Folders on the way to `out` that do not exist yet, outermost first.
std::vector<std::filesystem::path> missing_folders(const std::filesystem::path& out) {
  std::vector<std::filesystem::path> missing;
  std::error_code error;
  for (std::filesystem::path folder = std::filesystem::absolute(out);
       !folder.empty() && !std::filesystem::exists(folder, error); folder = folder.parent_path())
    missing.insert(missing.begin(), folder);
  return missing;
}

// A non-ASCII name and text, written, read back and removed.
void probe_file(const std::filesystem::path& out) {
  const std::filesystem::path probe = out / (".perflab_pr\xC3\xB6"
                                             "be_" +
                                             std::to_string(::getpid()));
  const std::string text = "\xC2\xB5s \xE2\x89\xA4 1\n";
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) refuse(out, "a probe file cannot be made", errno);
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  const int write_error = written < 0 ? errno : written < ssize_t(text.size()) ? ENOSPC : 0;
  const int sync_error = write_error == 0 && ::fsync(descriptor) != 0 && errno != EINVAL ? errno : 0;
  const int close_error = ::close(descriptor) != 0 ? errno : 0;
  const int error = write_error != 0 ? write_error : sync_error != 0 ? sync_error : close_error;
  const bool intact = error == 0 && read_file(probe) == text;
  const bool removed = ::unlink(probe.c_str()) == 0;
  const int remove_error = errno;
  if (error != 0) refuse(out, "a probe file cannot be written", error);
  if (!intact) refuse(out, "a probe file does not read back as written", EIO);
  if (!removed) refuse(out, "a probe file cannot be removed", remove_error);
}

std::int64_t free_bytes_of(const std::filesystem::path& out) {
  struct statvfs disk {};
  if (::statvfs(out.c_str(), &disk) != 0) refuse(out, "its free space cannot be read", errno);
  return std::int64_t(disk.f_bavail) * std::int64_t(disk.f_frsize);
}

void check_address_space() {
  struct rlimit most {};
  if (::getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return;
  if (const std::string problem = address_space_problem(most.rlim_cur); !problem.empty())
    fail(ErrorKind::environment, "{}", problem);
}

}  // namespace

std::string address_space_problem(std::uint64_t limit_bytes) {
  constexpr std::uint64_t least_bytes = std::uint64_t(512) << 20;
  if (limit_bytes >= least_bytes) return "";
  return fmt::format("this process may use {} of memory (ulimit -v); want {} or more: raise the limit",
                     format_bytes(double(limit_bytes)), format_bytes(double(least_bytes)));
}

PreflightReport preflight(const std::filesystem::path& out, std::int64_t expected_bytes, Clock& clock) {
  check_address_space();
  const std::vector<std::filesystem::path> made = missing_folders(out);
  try {
    std::error_code error;
    std::filesystem::create_directories(out, error);
    if (error) refuse(out, "the folder cannot be made", error.value());
    if (!std::filesystem::is_directory(out, error)) refuse(out, "it is not a folder", ENOTDIR);
    probe_file(out);
    PreflightReport report;
    report.free_bytes = free_bytes_of(out);
    if (report.free_bytes < free_space_factor * expected_bytes)
      fail(ErrorKind::io,
           "cannot use '{}' for results: {} free; want {} ({} times the expected {}); free some space, or "
           "choose "
           "another folder with --out",
           out.string(), format_bytes(double(report.free_bytes)),
           format_bytes(double(free_space_factor * expected_bytes)), free_space_factor,
           format_bytes(double(expected_bytes)));
    report.clock = measure_quality(clock);
    if (report.clock.resolution_ns <= 0)
      fail(ErrorKind::environment, "the steady clock does not move on this machine; want one that does");
    return report;
  } catch (...) {
    std::error_code ignored;  // only folders that are empty, innermost first
    for (auto folder = made.rbegin(); folder != made.rend(); ++folder) ::rmdir(folder->c_str());
    throw;
  }
}

}  // namespace perflab
