#include "bench/csv.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "base/test_folder.h"

namespace perflab {
namespace {

const std::string sample_text = "a,b,c\n1,,\"x,\"\"y\"\"\"\n2,\"two\nlines\",z\n";

TEST(Csv, QuotesRoundTrip) {
  const CsvTable table = parse_csv(sample_text, "t");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_FALSE(table.partial);
  EXPECT_EQ(table.at(0, "c"), "x,\"y\"");
  EXPECT_EQ(table.at(1, "b"), "two\nlines");
  std::string again = csv_line(table.header);
  for (const auto& row : table.rows) again += csv_line(row);
  EXPECT_EQ(again, sample_text);
}

// A file cut at any byte is exact leading rows and "partial", or refused; never a row that was not there.
TEST(Csv, CutAtEveryByteGivesExactLeadingRowsOrIsRefused) {
  const CsvTable whole = parse_csv(sample_text, "t");
  for (std::size_t cut = 0; cut < sample_text.size(); ++cut) {
    try {
      const CsvTable table = parse_csv(std::string_view(sample_text).substr(0, cut), "t");
      ASSERT_EQ(table.header, whole.header);
      ASSERT_LE(table.rows.size(), whole.rows.size());
      for (std::size_t row = 0; row < table.rows.size(); ++row)
        ASSERT_EQ(table.rows[row], whole.rows[row]) << cut;
      const bool ends_with_a_row = cut == 6 || cut == 19 || cut == sample_text.size();
      ASSERT_EQ(table.partial, !ends_with_a_row) << cut;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::data);
      ASSERT_LT(cut, 6u) << "only a file without a whole header is refused";
    }
  }
}

TEST(Csv, EachKindOfDamageIsADataErrorThatSaysWhere) {
  const std::pair<const char*, const char*> damaged[] = {
      {"a,b\r\n1,2\r\n", "carriage return"},
      {"\xEF\xBB\xBF"
       "a,b\n",
       "byte-order mark"},
      {"a,a\n1,2\n", "stands twice"},
      {"a,b\n1\n", "1 fields; want 2"},
      {"a,b\n1,2,3\n", "3 fields; want 2"},
      {"a,b\n1,caf\xE9\n", "line 2, byte 9: not UTF-8"},
      {"a,b\n1,\"x\ny\xE9\"\n", "line 3, byte 10: not UTF-8"},
      {"a,\xB5s\n1,2\n", "line 1, byte 2: not UTF-8"},
      {"a,b\n\"1\"x,2\n", "after a closing quote"},
      {"a,b\n1\"2,3\n", "quote inside"},
      {"", "no complete header"}};
  for (const auto& [text, message] : damaged) {
    try {
      parse_csv(text, "t.csv");
      FAIL() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("t.csv"), std::string::npos);
    }
  }
}

TEST(Csv, AMicroSignInAColumnsNameIsReadAsItIs) {
  const CsvTable table = parse_csv("name,time_\xC2\xB5s\nx,1\n", "t");
  EXPECT_EQ(table.at(0, "time_\xC2\xB5s"), "1");
}

TEST(Csv, ColumnsAreFoundByNameInAnyOrderAndExtraOnesDoNoHarm) {
  const CsvTable table = parse_csv("extra,b,a\nx,2,1\n", "t");
  EXPECT_EQ(table.at(0, "a"), "1");
  EXPECT_TRUE(table.has("extra"));
  EXPECT_FALSE(table.has("c"));
  EXPECT_THROW(table.column("c"), Error);
}

class CsvWriterTest : public ::testing::Test {
 protected:
  const TestFolder owner_;
  const std::filesystem::path folder_ = owner_.path();
};

TEST_F(CsvWriterTest, ASecondWriterContinuesAfterTheLastWholeRow) {
  const std::filesystem::path path = folder_ / "s.csv";
  {
    CsvWriter writer(path, {"a", "b"});
    writer.row({"1", "x\ny"});
    writer.flush();
  }
  {
    AppendFile cut(path);  // a writer that was killed inside a row
    cut.append("2,\"half\nof");
  }
  CsvWriter writer(path, {"a", "b"});
  writer.row({"3", "z"});
  writer.finish();
  const CsvTable table = read_csv(path);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.at(0, "b"), "x\ny");
  EXPECT_EQ(table.at(1, "a"), "3");
}

TEST_F(CsvWriterTest, RefusesAPartWithAnotherHeaderAndARowOfTheWrongLength) {
  { CsvWriter writer(folder_ / "s.csv", {"a", "b"}); }
  EXPECT_THROW(CsvWriter(folder_ / "s.csv", {"a", "c"}), Error);
  CsvWriter writer(folder_ / "t.csv", {"a", "b"});
  EXPECT_THROW(writer.row({"1"}), Error);
}

TEST_F(CsvWriterTest, AFullDiskNeverLeavesAFinishedLookingFile) {
  std::filesystem::create_symlink("/dev/full", folder_ / "s.csv.part");
  try {
    CsvWriter writer(folder_ / "s.csv", {"a"});
    writer.row({"1"});
    writer.finish();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "s.csv"));
}

}  // namespace
}  // namespace perflab
