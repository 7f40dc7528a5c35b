#include "base/units.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/check.h"

namespace perflab {

TEST(Units, ParsesBinaryAndDecimalSuffixes) {
  EXPECT_EQ(parse_count("4096"), 4096);
  EXPECT_EQ(parse_count("64K"), 65536);
  EXPECT_EQ(parse_count("64KiB"), 65536);
  EXPECT_EQ(parse_count("64kB"), 64000);
  EXPECT_EQ(parse_count("2G"), std::int64_t(2) << 30);
  EXPECT_EQ(parse_count("-3"), -3);
}

TEST(Units, RefusesWhatIsNoCount) {
  for (const char* text : {"", "K", "1.5K", "64 K", "64X", "1e3", "99999999999T", "0x10"})
    EXPECT_THROW(parse_count(text), Error) << text;
}

TEST(Units, SaysOfACountThatIsTooLargeThatItIs) {
  for (const char* text : {"18446744073709551615", "99999999999T"}) try {
      parse_count(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("want at most 9223372036854775807"), std::string::npos)
          << error.what();
    }
}

TEST(Units, PrintsThreeSignificantDigitsInDecimalUnits) {
  EXPECT_EQ(format_rate(1.2e9), "1.20 GB/s");
  EXPECT_EQ(format_bytes(0), "0.00 B");
  EXPECT_EQ(format_bytes(65536), "65.5 kB");
  EXPECT_EQ(format_time(3.4e-3), "3.40 ms");
  EXPECT_EQ(format_time(999.9e-6), "1.00 ms");
  EXPECT_EQ(format_time(125), "125 s");
  EXPECT_EQ(format_time(std::numeric_limits<double>::infinity()), "?");
}

TEST(Units, NumbersRoundTripExactlyAndNonFiniteOnesAreRefused) {
  for (const double value : {0.0, -0.1, 1.0 / 3, 1e300, 5e-324})
    EXPECT_EQ(parse_number(format_number(value)), value);
  EXPECT_THROW(format_number(std::numeric_limits<double>::quiet_NaN()), Error);
  for (const char* text : {"", "1,5", " 1", "1 ", "nan", "inf", "abc"})
    EXPECT_THROW(parse_number(text), Error) << text;
}

}  // namespace perflab
