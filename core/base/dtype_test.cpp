#include "base/dtype.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace perflab {

TEST(Dtype, NamesRoundTripAndSizesAreThoseOfTheFormats) {
  const std::pair<Dtype, std::size_t> expected[] = {
      {Dtype::f32, 4}, {Dtype::f16, 2}, {Dtype::bf16, 2}, {Dtype::i32, 4}, {Dtype::u8, 1}};
  for (const auto& [dtype, bytes] : expected) {
    EXPECT_EQ(parse_dtype(name_of(dtype)), dtype);
    EXPECT_EQ(bytes_of(dtype), bytes);
  }
  EXPECT_TRUE(is_floating(Dtype::bf16));
  EXPECT_FALSE(is_floating(Dtype::u8));
}

TEST(Dtype, AnUnknownNameIsAUsageErrorThatListsTheValidOnes) {
  try {
    parse_dtype("f64");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "dtype: 'f64' is unknown; want f32, f16, bf16, i32 or u8");
  }
}

}  // namespace perflab
