// A machine whose locale writes 1,5 for 1.5, in the C++ library and, where a locale can be made, in the C
// library.

#include <locale.h>

#include <clocale>
#include <cstdlib>
#include <locale>

#include "base/check.h"
#include "base/file.h"
#include "base/process.h"
#include "base/units.h"
#include "bench/device_flags.h"
#include "bench/json.h"
#include "bench/launch_test.h"
#include "bench/profile.h"

namespace perflab {
namespace {

class Comma : public std::numpunct<char> {
 protected:
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

// While it lives, both libraries write numbers as much of Europe does.
class CommaLocale {
 public:
  explicit CommaLocale(const std::filesystem::path& folder)
      : before_(std::locale::global(std::locale(std::locale::classic(), new Comma))) {
    write_file_atomically(
        folder / "comma.source",
        "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n");
    capture({"localedef", "-c", "-i", (folder / "comma.source").string(), "-f", "ANSI_X3.4-1968",
             (folder / "comma").string()});
    ::setenv("LOCPATH", folder.c_str(), 1);
    in_c_too_ = std::setlocale(LC_ALL, "comma") != nullptr;
  }
  ~CommaLocale() {
    std::setlocale(LC_ALL, "C");
    ::unsetenv("LOCPATH");
    std::locale::global(before_);
  }
  bool in_c_too() const { return in_c_too_; }

 private:
  std::locale before_;
  bool in_c_too_ = false;
};

class CommaLocaleTest : public LaunchTest {
 protected:
  // Times, rates and metrics with a fractional part, and large ones.
  std::string files_of_a_run() {
    SetUp();
    clock_ = FakeClock();
    experiments_.clear();
    experiments_.emplace_back("e")
        .axis("share", {.quick = {0.25, 1234567.5}})
        .metrics({"ratio_count"})
        .variants({"a", "b"}, "a")
        .run([this](Case& c) {
          c.expect(true, "");
          c.metric("ratio_count", c.f("share") / 3);
          c.work({.flops = 12345678.25, .bytes_read = 1e9});
          c.measure([this, ns = c.is("a") ? 1'333'333 : 1'777'777] { clock_.advance_ns(ns); });
        });
    EXPECT_EQ(run(), exit_codes::ok);
    EXPECT_EQ(judged(), exit_codes::ok);
    std::string text;
    for (const char* file : {"samples.csv", "cases.csv", "summary.csv"})
      text += read_file(request_.lab_folder / file);
    return text;
  }
};

}  // namespace

TEST_F(CommaLocaleTest, EveryByteOfARunIsThatOfTheCLocale) {
  const std::string plain = files_of_a_run();
  EXPECT_NE(plain.find("411522.5"), std::string::npos) << "a number with a fraction stands in the files";
  const TestFolder folder;
  const CommaLocale comma(folder.path());
  if (comma.in_c_too()) {
    EXPECT_STREQ(::localeconv()->decimal_point, ",");
  }
  EXPECT_EQ(files_of_a_run(), plain);
}

TEST_F(CommaLocaleTest, NumbersAreReadWithAPointAndACommaIsAnErrorThatNamesIt) {
  const TestFolder folder;
  const CommaLocale comma(folder.path());
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(format_number(1234567.5), "1234567.5");
  EXPECT_EQ(Json::parse("[1.5]", "t").array().front().number(), 1.5);
  EXPECT_EQ(Json(1234567.5).dump(), "1234567.5\n");
  EXPECT_EQ(format_bytes(1.5e6), "1.50 MB");
  EXPECT_EQ(load_profile("quick").target_half_width, 0.05);
  EXPECT_EQ(runtime_options({.link = "2.5,10"}).link->bandwidth_GBps, 10);
  try {
    parse_number("1,5");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("'1,5' is no number"), std::string::npos);
  }
}

}  // namespace perflab
