// Where the results go: which filesystem, and how much room.
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "bench/environment_parts.h"

namespace perflab {
namespace {

// "\040" -> " ", as the kernel writes blanks in paths.
std::string unescaped(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      plain += char((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool is_below(const std::string& path, const std::string& mount) {
  if (mount == "/" || path == mount) return true;
  return path.starts_with(mount) && path[mount.size()] == '/';
}

// Magic numbers of statfs(2), for a system that hides its mounts.
std::string type_name(long type) {
  struct Known {
    long magic;
    const char* name;
  };
  constexpr std::array known = {
      Known{0xEF53, "ext"},       Known{0x9123683E, "btrfs"}, Known{0x58465342, "xfs"},
      Known{0x01021994, "tmpfs"}, Known{0x6969, "nfs"},       Known{0x794C7630, "overlay"},
      Known{0x2FC12FC1, "zfs"},   Known{0x65735546, "fuse"},  Known{0x01021997, "9p"},
      Known{0xF2F52010, "f2fs"},  Known{0x4D44, "vfat"},      Known{0xFF534D42, "cifs"}};
  for (const Known& row : known)
    if (row.magic == type) return row.name;
  return fmt::format("type {:#x}", type);
}

}  // namespace

// The last mount of the longest path that holds the folder; lines of proc(5), mountinfo: the mount point is
// field 5, the type and the mount's own options follow " - ".
std::optional<std::string> mounted_type(const SystemFiles& files, const std::string& folder) {
  std::istringstream lines(files.text("/proc/self/mountinfo").value_or(""));
  std::string best, type;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line.substr(0, dash)), after(line.substr(dash + 3));
    std::string word, mount, name, source, options;
    for (int field = 0; field < 4; ++field) before >> word;
    before >> mount;
    after >> name >> source >> options;
    mount = unescaped(mount);
    if (mount.empty() || !is_below(folder, mount) || mount.size() < best.size()) continue;
    best = mount;
    type = name == "9p" && options.find("aname=drvfs") != std::string::npos ? "drvfs" : name;
  }
  if (type.empty()) return std::nullopt;
  return type;
}

Storage storage_of(std::string_view filesystem) {
  const auto is = [&](auto... names) { return ((filesystem == names) || ...); };
  if (is("ext", "ext2", "ext3", "ext4", "btrfs", "xfs", "zfs", "f2fs", "vfat", "exfat", "ntfs", "ntfs3",
         "bcachefs", "jfs", "hfsplus", "fuseblk"))
    return Storage::disk;
  if (is("tmpfs", "ramfs", "rootfs")) return Storage::memory;
  if (is("overlay", "aufs")) return Storage::layered;
  if (is("9p", "drvfs", "nfs", "nfs4", "cifs", "smb3", "smbfs", "virtiofs", "vboxsf", "vmhgfs", "prl_fs",
         "ceph", "lustre", "gpfs", "beegfs", "glusterfs", "afs", "fuse") ||
      filesystem.starts_with("fuse."))
    return Storage::shared;
  return Storage::unknown;
}

void read_disk(const std::filesystem::path& results_folder, const SystemFiles& files,
               std::vector<EnvItem>& items) {
  std::error_code error;
  const auto folder =
      std::filesystem::weakly_canonical(std::filesystem::absolute(results_folder, error), error);
  struct statfs disk {};
  std::optional<std::string> type = mounted_type(files, folder.string());
  std::optional<std::int64_t> free_bytes;
  if (::statfs(results_folder.c_str(), &disk) == 0) {
    if (!type) type = type_name(long(disk.f_type));
    free_bytes = std::int64_t(disk.f_bavail) * std::int64_t(disk.f_bsize);
  }
  items.push_back(env_item("results_filesystem", type, "/proc/self/mountinfo or statfs",
                           type && storage_of(*type) != Storage::disk));
  items.push_back(env_item("results_free_bytes", free_bytes, "statfs"));
  struct statvfs shared {};
  std::optional<std::int64_t> shared_bytes;
  if (files.root() == "/" && ::statvfs("/dev/shm", &shared) == 0)
    shared_bytes = std::int64_t(shared.f_blocks) * std::int64_t(shared.f_frsize);
  items.push_back(env_item("dev_shm_bytes", shared_bytes, "statvfs /dev/shm",
                           shared_bytes.value_or(std::int64_t(1) << 30) < (std::int64_t(1) << 28)));
}

}  // namespace perflab
