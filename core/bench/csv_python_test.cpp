// Our CSV against Python's csv module, in both directions: values that other writers got wrong.

#include <gtest/gtest.h>

#include <limits>

#include "base/file.h"
#include "base/process.h"
#include "base/test_folder.h"
#include "base/units.h"
#include "bench/csv.h"

namespace perflab {
namespace {

const std::vector<std::string> values = {"a,b",
                                         "say \"x\"",
                                         "\"",
                                         "carriage\rreturn",
                                         "line\nfeed",
                                         "both\r\n",
                                         " leading blank",
                                         "trailing blank ",
                                         "\ttab",
                                         "\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80",
                                         "",
                                         format_number(1e-9),
                                         std::to_string(std::numeric_limits<std::int64_t>::max()),
                                         "'quoted'",
                                         "nan"};

class CsvPython : public testing::Test {
 protected:
  void SetUp() override {
    if (!capture({"python3", "-c", ""}).ok) GTEST_SKIP() << "no python3";
  }
  // A program with the file as its argument; it writes bytes, so no locale has a say.
  std::string python(const std::string& program) const {
    return capture({"python3", "-c", "import csv, sys\n" + program, file_.string()}, 20'000).output;
  }

  const TestFolder folder_;
  const std::filesystem::path file_ = folder_ / "values.csv";
};

std::string hex(const std::string& text) {
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

}  // namespace

TEST_F(CsvPython, ReadsBackEveryValueThatWeWrite) {
  CsvWriter writer(file_, {"n", "value", "end"});
  std::string wanted;
  for (std::size_t i = 0; i < values.size(); ++i) {
    writer.row({fmt::format("{}", i), values[i], "."});
    wanted += fmt::format("{} {} .\n", i, hex(values[i]));
  }
  writer.finish();
  EXPECT_EQ(
      python(
          "for row in list(csv.reader(open(sys.argv[1], newline='', encoding='utf-8'), strict=True))[1:]:\n"
          "    print(row[0], row[1].encode('utf-8').hex(), row[2])"),
      wanted);
}

TEST_F(CsvPython, WritesWhatWeReadBack) {
  std::string list;
  for (const std::string& value : values)
    list += fmt::format("bytes.fromhex('{}').decode('utf-8'), ", hex(value));
  // All quoted: with another line end than CR LF, Python leaves a lone CR bare, which no strict reader takes.
  python(
      "rows = csv.writer(open(sys.argv[1], 'w', newline='', encoding='utf-8'), lineterminator='\\n', "
      "quoting=csv.QUOTE_ALL)\n"
      "rows.writerow(['n', 'value', 'end'])\n"
      "rows.writerows([n, value, '.'] for n, value in enumerate([" +
      list + "]))");
  const CsvTable table = read_csv(file_);
  ASSERT_EQ(table.rows.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(table.rows[i][1], values[i]);
  EXPECT_EQ(parse_number(table.rows[11][1]), 1e-9);
}

}  // namespace perflab
