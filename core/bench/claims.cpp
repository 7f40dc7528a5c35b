#include "bench/claims.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/check.h"
#include "bench/csv.h"
#include "bench/registry.h"

namespace perflab {
namespace {

constexpr std::array columns = {"claim_id",
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

constexpr std::array type_names = {"ratio", "direction", "null",     "absolute", "shape",
                                   "bound", "count",     "analytic", "doc"};
constexpr std::array evidences = {"measured", "modelled", "simulated", "analytic"};
constexpr std::array subjects = {"real", "stand-in", "model", "not"};
constexpr std::array expert_verdicts = {"true", "misleading", "outdated", "wrong"};

template <std::size_t N>
bool among(const std::array<const char*, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

template <std::size_t N>
std::string joined(const std::array<const char*, N>& list) {
  std::string text;
  for (const char* item : list) text += (text.empty() ? "" : ", ") + std::string(item);
  return text;
}

template <std::size_t N>
const std::string& one_of(const RegistryRow& row, std::string_view column,
                          const std::array<const char*, N>& list) {
  if (!among(list, row.text(column))) row.broken(column, "want one of " + joined(list));
  return row.text(column);
}

double read_effect(const RegistryRow& row) {
  constexpr std::string_view column = "smallest_interesting_effect";
  if (row.text(column).empty()) return 1.05;
  if (row.text(column) == "exact") {
    if (row.text("type") == "null") row.broken(column, "a null claim needs a width; want a ratio above 1");
    return 1;
  }
  const double effect = *row.number(column);
  if (effect <= 1) row.broken(column, "want a ratio above 1, or exact");
  return effect;
}

void check_quantity(const RegistryRow& row, const Claim& claim) {
  if (claim.type == ClaimType::doc) return;
  row.required("quantity");
  row.required("experiment");
  row.quantity("quantity");
}

void check_band(const RegistryRow& row, const Claim& claim) {
  if (claim.band_lo && claim.band_hi && *claim.band_lo > *claim.band_hi)
    row.broken("band_lo", "is above band_hi");
  const bool any = claim.band_lo || claim.band_hi || claim.claimed_value;
  const bool needs_one =
      claim.type != ClaimType::direction && claim.type != ClaimType::null && claim.type != ClaimType::doc;
  if (needs_one && !any) row.broken("band_lo", "no band and no claimed_value: nothing to judge by");
  const bool is_ratio =
      claim.type == ClaimType::ratio || claim.type == ClaimType::direction || claim.type == ClaimType::null;
  if (claim.type == ClaimType::ratio && claim.claimed_value && *claim.claimed_value <= 0)
    row.broken("claimed_value", "want a positive ratio");
  if (is_ratio && claim.band_lo && *claim.band_lo < 0) row.broken("band_lo", "want a ratio, 0 or more");
  if (is_ratio && claim.band_hi && *claim.band_hi <= 0) row.broken("band_hi", "want a positive ratio");
}

Claim read_row(const RegistryRow& row) {
  Claim claim;
  claim.claim_id = row.required("claim_id");
  claim.part = row.text("part");
  if (claim.part.size() > 1 || (claim.part.size() == 1 && (claim.part[0] < 'a' || claim.part[0] > 'z')))
    row.broken("part", "want nothing or one letter a..z");
  claim.source = row.required("source");
  claim.section = row.text("section");
  const std::string& type = one_of(row, "type", type_names);
  claim.type = ClaimType(std::find(type_names.begin(), type_names.end(), type) - type_names.begin());
  claim.statement = row.required("statement");
  claim.experiment = row.text("experiment");
  claim.params = row.params("params");
  claim.quantity = row.text("quantity");
  claim.claimed_value = row.number("claimed_value");
  claim.claimed_text = row.text("claimed_text");
  claim.unit = row.text("unit");
  claim.band_lo = row.number("band_lo");
  claim.band_hi = row.number("band_hi");
  claim.smallest_interesting_effect = read_effect(row);
  claim.needs_hw = row.text("needs_hw");
  claim.evidence_allowed = row.text("evidence_allowed");
  for (const std::string& evidence : split_list(claim.evidence_allowed))
    if (!among(evidences, evidence))
      row.broken("evidence_allowed", "want " + joined(evidences) + ", separated by ';'");
  claim.about = row.required("about");
  claim.subject = one_of(row, "subject", subjects);
  claim.expert_verdict = one_of(row, "expert_verdict", expert_verdicts);
  claim.expected_here = row.text("expected_here");
  claim.truth = row.text("truth");
  claim.holds_when = row.text("holds_when");
  claim.do_instead = row.text("do_instead");
  check_quantity(row, claim);
  check_band(row, claim);
  return claim;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

}  // namespace

std::string claim_type_name(ClaimType type) { return type_names.at(std::size_t(type)); }

std::vector<std::string> split_list(std::string_view text, char separator) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t end = text.find(separator);
    items.emplace_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return items;
}

std::vector<std::pair<std::string, std::string>> parse_params(std::string_view params) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& item : split_list(params)) {
    const std::size_t equals = item.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == item.size())
      fail(ErrorKind::data, "params: '{}'; want 'axis=value;axis=value'", params);
    pairs.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return pairs;
}

std::optional<PairQuantity> pair_quantity(std::string_view quantity) {
  constexpr std::array clocks = {"submit", "finish", "verified"};
  const std::vector<std::string> sides = split_list(quantity, '/');
  if (sides.size() != 2) return std::nullopt;
  std::array<std::string, 2> variant, clock;
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t dot = sides[i].rfind('.');
    if (dot == 0 || dot == std::string::npos) return std::nullopt;
    variant[i] = sides[i].substr(0, dot);
    clock[i] = sides[i].substr(dot + 1);
    if (!among(clocks, clock[i])) return std::nullopt;
  }
  return PairQuantity{variant[0], clock[0], variant[1], clock[1]};
}

std::vector<Claim> parse_claims(std::string_view text, const std::string& source) {
  const CsvTable table = parse_csv(text, source);
  std::vector<Claim> claims;
  std::set<std::pair<std::string, std::string>> seen;
  for (const RegistryRow& row : registry_rows(table, columns)) {
    claims.push_back(read_row(row));
    if (!seen.emplace(claims.back().claim_id, claims.back().part).second)
      row.broken("claim_id", "stands twice with part '" + claims.back().part + "'");
  }
  return claims;
}

std::vector<Claim> read_claims(const std::filesystem::path& path) {
  return parse_claims(read_file(path), path.string());
}

}  // namespace perflab
