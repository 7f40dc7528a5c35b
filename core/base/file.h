#pragma once
// Files that are either whole or visibly unfinished.
//
// Every write, flush and close is checked; a failure is an Error(io) that names the path and the system's
// reason. A file under construction is NAME.part; only finish() gives it its name. One object per thread. Two
// processes may write one name atomically at once: one of the two texts stands there then, whole.

#include <filesystem>
#include <string>
#include <string_view>

namespace perflab {

class AppendFile {
 public:
  explicit AppendFile(
      std::filesystem::path final_path);  // opens final_path + ".part" for appending, creating it
  ~AppendFile();                          // leaves the .part as it is
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&&) = delete;

  void append(std::string_view text);  // buffered
  void flush();                        // to the operating system
  void finish();                       // fsync, close, rename to the final path
  const std::filesystem::path& part_path() const { return part_path_; }

 private:
  friend void write_file_atomically(const std::filesystem::path&, std::string_view);
  AppendFile(std::filesystem::path final_path, std::filesystem::path part_path);

  std::filesystem::path final_path_, part_path_;
  std::string buffer_;
  int descriptor_ = -1;
};

std::string read_file(const std::filesystem::path& path);  // Error(io)
void write_file_atomically(const std::filesystem::path& path,
                           std::string_view text);  // via a .part of its own, fsync and rename

}  // namespace perflab
