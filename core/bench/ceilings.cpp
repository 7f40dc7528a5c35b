#include "bench/ceilings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "base/check.h"
#include "base/file.h"
#include "base/units.h"
#include "bench/csv.h"

namespace perflab {
namespace {

const std::vector<std::string> header = {"level", "pattern", "threads", "rate", "unit", "run_id"};

const char* unit_of(const std::string& level) { return level == "compute" ? "GFLOPS" : "GBps"; }

auto key(const Ceiling& ceiling) { return std::tie(ceiling.level, ceiling.pattern, ceiling.threads); }

Ceiling read_row(const CsvTable& table, std::size_t row) {
  const auto broken = [&](const char* column) {
    fail(ErrorKind::data, "{}: row {}, column '{}': '{}' is not what a ceiling has", table.source, row + 1,
         column, table.at(row, column));
  };
  Ceiling ceiling;
  ceiling.level = table.at(row, "level");
  ceiling.pattern = table.at(row, "pattern");
  ceiling.run_id = table.at(row, "run_id");
  if (ceiling.level.empty()) broken("level");
  if (ceiling.pattern.empty()) broken("pattern");
  const std::string& threads = table.at(row, "threads");
  const auto [end, error] = std::from_chars(threads.data(), threads.data() + threads.size(), ceiling.threads);
  if (error != std::errc{} || end != threads.data() + threads.size() || ceiling.threads < 1)
    broken("threads");
  try {
    ceiling.rate = parse_number(table.at(row, "rate"));
  } catch (const Error&) {
    broken("rate");
  }
  if (!(ceiling.rate > 0)) broken("rate");
  if (table.at(row, "unit") != unit_of(ceiling.level)) broken("unit");
  return ceiling;
}

}  // namespace

bool is_ceiling_pattern(std::string_view pattern) {
  if (pattern.ends_with("_nt")) pattern.remove_suffix(3);
  constexpr std::string_view known[] = {"read", "copy", "scale", "add", "triad", "in_place", "fma"};
  return std::find(std::begin(known), std::end(known), pattern) != std::end(known);
}

Ceilings Ceilings::read(const std::filesystem::path& path) {
  Ceilings ceilings;
  if (!std::filesystem::exists(path)) return ceilings;
  const CsvTable table = read_csv(path);
  if (table.partial)
    fail(ErrorKind::data, "{}: the last line does not end in a line feed: is the file whole?", table.source);
  if (table.header != header)
    fail(ErrorKind::data, "{}: its columns are not level, pattern, threads, rate, unit, run_id",
         table.source);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const Ceiling ceiling = read_row(table, row);
    if (ceilings.find(ceiling.level, ceiling.pattern, ceiling.threads))
      fail(ErrorKind::data, "{}: row {}: {} {} with {} threads stands there twice", table.source, row + 1,
           ceiling.level, ceiling.pattern, ceiling.threads);
    ceilings.raise(ceiling);
  }
  return ceilings;
}

void Ceilings::write(const std::filesystem::path& path) const {
  std::string text = csv_line(header);
  for (const Ceiling& row : rows_)
    text += csv_line({row.level, row.pattern, fmt::format("{}", row.threads), format_number(row.rate),
                      unit_of(row.level), row.run_id});
  write_file_atomically(path, text);
}

bool Ceilings::raise(const Ceiling& candidate) {
  PL_CHECK(candidate.rate > 0 && std::isfinite(candidate.rate),
           "ceiling of {} {}: rate {}; want a positive one", candidate.level, candidate.pattern,
           candidate.rate);
  const auto found = std::lower_bound(rows_.begin(), rows_.end(), candidate,
                                      [](const Ceiling& a, const Ceiling& b) { return key(a) < key(b); });
  if (found == rows_.end() || key(*found) != key(candidate)) {
    rows_.insert(found, candidate);
    return true;
  }
  if (candidate.rate <= found->rate) return false;
  *found = candidate;
  return true;
}

std::optional<Ceiling> Ceilings::find(std::string_view level, std::string_view pattern, int threads) const {
  for (const Ceiling& row : rows_)
    if (row.level == level && row.pattern == pattern && row.threads == threads) return row;
  return std::nullopt;
}

std::optional<double> Ceilings::roof(std::string_view level, int threads) const {
  double highest = 0;
  bool measured = false;  // with as many threads: what fewer of them reach bounds nothing
  for (const Ceiling& row : rows_) {
    if (row.level != level || row.threads > threads) continue;
    highest = std::max(highest, row.rate);
    measured = measured || row.threads == threads;
  }
  return measured ? std::optional(highest) : std::nullopt;
}

}  // namespace perflab
