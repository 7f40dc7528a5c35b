#include "bench/sha256.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/check.h"

namespace perflab {
namespace {

class Digest {
 public:
  Digest() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    const bool started = context_ != nullptr && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1;
    PL_CHECK(started, "sha256: the OpenSSL library refuses SHA-256; want an installation that allows it");
  }
  void add(const void* bytes, std::size_t count) {
    PL_CHECK(EVP_DigestUpdate(context_.get(), bytes, count) == 1, "sha256: OpenSSL failed on {} bytes",
             count);
  }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int count = 0;
    PL_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &count) == 1,
             "sha256: OpenSSL failed at the end");
    std::string text;
    for (unsigned int i = 0; i < count; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

[[noreturn]] void cannot_read(const std::filesystem::path& path) {
  fail(ErrorKind::io, "cannot read '{}': {}", path.string(), std::strerror(errno));
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  Digest digest;
  digest.add(text.data(), text.size());
  return digest.hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) cannot_read(path);
  Digest digest;
  std::array<char, 1 << 16> chunk{};
  while (true) {
    const ssize_t count = ::read(descriptor, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int error = errno;
      ::close(descriptor);
      errno = error;
      cannot_read(path);
    }
    if (count == 0) break;
    digest.add(chunk.data(), std::size_t(count));
  }
  ::close(descriptor);
  return digest.hex();
}

std::string sha256_library() { return OpenSSL_version(OPENSSL_VERSION); }

}  // namespace perflab
