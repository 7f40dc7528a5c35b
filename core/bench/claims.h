#pragma once
// Claims — what an article says, registered before anything is measured: labs/NN_name/claims.csv.
//
// The band is the article's own test, never the expert's expectation. A claim with several conditions has
// rows with part a, b, c and the verdict of its weakest part. docs/measuring.md lists the columns. Reading is
// strict: a typing error in a registry must not become a verdict.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perflab {

enum class ClaimType { ratio, direction, null, absolute, shape, bound, count, analytic, doc };

struct Claim {
  std::string claim_id, part, source, section;
  ClaimType type = ClaimType::ratio;
  std::string statement;  // in our words
  std::string experiment,
      params;            // params: "level=DRAM;threads=2", selects the case; empty for derived metrics
  std::string quantity;  // "a.finish / b.finish" or a metric's name
  std::optional<double> claimed_value;
  std::string claimed_text;  // the article's figure as a reader would print it; "(no figure)" if none
  std::string unit;
  std::optional<double> band_lo, band_hi;  // open where empty
  // As a ratio: ROPE = [1/sie, sie]; 1 where the file says "exact".
  double smallest_interesting_effect = 1.05;
  std::string needs_hw;          // "gpu:1", "mem:ddr4", "nic:1"; several separated by ';'
  std::string evidence_allowed;  // measured | modelled ...; several separated by ';'; empty: any
  std::string about;             // hardware | algorithm | framework:NAME | practice
  std::string subject;           // real | stand-in | model | not: what this machine can measure of it
  std::string expert_verdict, expected_here;
  std::string truth, holds_when, do_instead;
};

// Both variants and clocks of "a.finish / b.submit"; nothing if the quantity is a metric's name.
struct PairQuantity {
  std::string a, clock_a, b, clock_b;
};
std::optional<PairQuantity> pair_quantity(std::string_view quantity);

// "level=DRAM;threads=2" as pairs, in order; Error(data) for anything else.
std::vector<std::pair<std::string, std::string>> parse_params(std::string_view params);
std::vector<std::string> split_list(std::string_view text, char separator = ';');  // "" is an empty list

std::vector<Claim> read_claims(const std::filesystem::path& path);  // Error(data) names line and column
std::vector<Claim> parse_claims(std::string_view text, const std::string& source);  // the same, of a text
std::string claim_type_name(ClaimType type);

}  // namespace perflab
