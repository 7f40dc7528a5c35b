#include "bench/claims.h"

#include <gtest/gtest.h>

#include <map>

#include "base/check.h"
#include "bench/csv.h"

namespace perflab {
namespace {

const std::vector<std::string> header = {"claim_id",
                                         "part",
                                         "source",
                                         "section",
                                         "type",
                                         "statement",
                                         "experiment",
                                         "params",
                                         "quantity",
                                         "claimed_value",
                                         "claimed_text",
                                         "unit",
                                         "band_lo",
                                         "band_hi",
                                         "smallest_interesting_effect",
                                         "needs_hw",
                                         "evidence_allowed",
                                         "about",
                                         "subject",
                                         "expert_verdict",
                                         "expected_here",
                                         "truth",
                                         "holds_when",
                                         "do_instead"};

using Fields = std::map<std::string, std::string>;

const Fields good = {{"claim_id", "fast-is-fast"},
                     {"source", "article.txt"},
                     {"section", "5"},
                     {"type", "ratio"},
                     {"statement", "A, then B"},
                     {"experiment", "stream"},
                     {"params", "level=DRAM;threads=2"},
                     {"quantity", "plain.finish / nt.finish"},
                     {"claimed_value", "1.5"},
                     {"claimed_text", "1.5x"},
                     {"unit", "ratio"},
                     {"band_lo", "1.2"},
                     {"about", "hardware"},
                     {"subject", "real"},
                     {"expert_verdict", "true"},
                     {"evidence_allowed", "measured"}};

std::string text_of(const std::vector<Fields>& rows) {
  std::string text = csv_line(header);
  for (const Fields& row : rows) {
    std::vector<std::string> fields;
    for (const std::string& name : header) fields.push_back(row.contains(name) ? row.at(name) : "");
    text += csv_line(fields);
  }
  return text;
}

Fields with(Fields row, const Fields& changes) {
  for (const auto& [name, value] : changes) row[name] = value;
  return row;
}

std::string refusal(const std::string& text) {
  try {
    parse_claims(text, "claims.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

TEST(Claims, ReadEveryColumn) {
  const std::vector<Claim> claims = parse_claims(text_of({good}), "claims.csv");
  ASSERT_EQ(claims.size(), 1u);
  const Claim& claim = claims[0];
  EXPECT_EQ(claim.claim_id, "fast-is-fast");
  EXPECT_EQ(claim.type, ClaimType::ratio);
  EXPECT_EQ(claim_type_name(claim.type), "ratio");
  EXPECT_EQ(claim.statement, "A, then B");
  EXPECT_EQ(claim.claimed_value, 1.5);
  EXPECT_EQ(claim.band_lo, 1.2);
  EXPECT_FALSE(claim.band_hi);
  EXPECT_EQ(claim.smallest_interesting_effect, 1.05);
  EXPECT_EQ(claim.expert_verdict, "true");
}

TEST(Claims, TakeExactAsAnEffectOfOne) {
  const Fields count =
      with(good, {{"type", "count"}, {"quantity", "cores_count"}, {"smallest_interesting_effect", "exact"}});
  EXPECT_EQ(parse_claims(text_of({count}), "c")[0].smallest_interesting_effect, 1);
  EXPECT_NE(refusal(text_of({with(count, {{"type", "null"}})})), "");
}

TEST(Claims, NameFileLineAndColumnOfEveryMistake) {
  const std::vector<std::pair<Fields, std::string>> mistakes = {
      {{{"claim_id", ""}}, "claim_id"},
      {{{"part", "ab"}}, "part"},
      {{{"part", "1"}}, "part"},
      {{{"source", ""}}, "source"},
      {{{"type", "ratios"}}, "type"},
      {{{"statement", ""}}, "statement"},
      {{{"experiment", ""}}, "experiment"},
      {{{"params", "level"}}, "params"},
      {{{"params", "level="}}, "params"},
      {{{"quantity", ""}}, "quantity"},
      {{{"quantity", "plain.finish / nt.end"}}, "quantity"},
      {{{"quantity", "plain / nt.finish"}}, "quantity"},
      {{{"claimed_value", "1,5"}}, "claimed_value"},
      {{{"claimed_value", "-1"}}, "claimed_value"},
      {{{"band_lo", "x"}}, "band_lo"},
      {{{"band_lo", "3"}, {"band_hi", "2"}}, "band_lo"},
      {{{"band_lo", ""}, {"claimed_value", ""}}, "band_lo"},
      {{{"smallest_interesting_effect", "0.9"}}, "smallest_interesting_effect"},
      {{{"smallest_interesting_effect", "small"}}, "smallest_interesting_effect"},
      {{{"evidence_allowed", "guessed"}}, "evidence_allowed"},
      {{{"about", ""}}, "about"},
      {{{"subject", "perhaps"}}, "subject"},
      {{{"expert_verdict", "maybe"}}, "expert_verdict"},
  };
  // A quoted line break in the row before: the message still names the line in the file.
  const Fields before = with(good, {{"claim_id", "other"}, {"truth", "two\nlines"}});
  for (const auto& [change, column] : mistakes) {
    const std::string said = refusal(text_of({before, with(good, change)}));
    EXPECT_NE(said.find("claims.csv: line 4, column '" + column + "'"), std::string::npos)
        << column << ": " << said;
  }
}

TEST(Claims, RefuseTheSamePartTwiceAndAcceptTwoParts) {
  EXPECT_NE(refusal(text_of({good, good})).find("line 3, column 'claim_id'"), std::string::npos);
  EXPECT_EQ(parse_claims(text_of({with(good, {{"part", "a"}}), with(good, {{"part", "b"}})}), "c").size(),
            2u);
}

TEST(Claims, RefuseAMissingOrUnknownColumnAndACutFile) {
  std::string text = text_of({good});
  EXPECT_NE(refusal("extra," + text.substr(0, text.find('\n') + 1)).find("extra"), std::string::npos);
  EXPECT_NE(refusal("claim_id,part\n").find("source"), std::string::npos);
  text.pop_back();
  EXPECT_NE(refusal(text).find("line feed"), std::string::npos);
}

TEST(Claims, SplitPairQuantitiesAtTheLastDotAndLeaveMetricsAlone) {
  const auto pair = pair_quantity("a.b.submit / c.verified");
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->a, "a.b");
  EXPECT_EQ(pair->clock_a, "submit");
  EXPECT_EQ(pair->b, "c");
  EXPECT_EQ(pair->clock_b, "verified");
  EXPECT_FALSE(pair_quantity("dram_triad_GBps"));
}

}  // namespace
}  // namespace perflab
