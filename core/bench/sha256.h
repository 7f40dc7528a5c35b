#pragma once
// SHA-256 of texts and files, as 64 hex digits. sha256.cpp is the only file that knows the library behind it.

#include <filesystem>
#include <string>
#include <string_view>

namespace perflab {

std::string sha256_hex(std::string_view text);
std::string sha256_file(const std::filesystem::path& path);  // Error(io) if it cannot be read
std::string sha256_library();                                // name and version, for the manifest

}  // namespace perflab
