#include "bench/sha256.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"

namespace perflab {

// Known answers of FIPS 180-4's examples.
TEST(Sha256, GivesThePublishedAnswers) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, OfAFileIsThatOfItsBytesAcrossChunks) {
  const TestFolder folder;
  const std::filesystem::path path = folder / "file";
  const std::string text(200'001, 'q');
  write_file_atomically(path, text);
  EXPECT_EQ(sha256_file(path), sha256_hex(text));
}

TEST(Sha256, AMissingFileIsAnErrorThatNamesIt) {
  try {
    sha256_file("/no/such/file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_NE(std::string(error.what()).find("/no/such/file"), std::string::npos);
  }
}

}  // namespace perflab
