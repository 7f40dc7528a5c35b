#include "bench/import_nccl_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/check.h"

namespace perflab {
namespace {

// As printed, and as a column of ours.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> per_iteration = {
    {{"i_min", "i_min_us"}, {"i_max", "i_max_us"}, {"i_p99", "i_p99_us"}, {"i_cv%", "i_cv_pct"}}};

bool all_of_class(std::string_view text, bool (*is)(char)) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

bool is_word(std::string_view text) { return all_of_class(text, is_word_char) && !is_digit(text.front()); }

bool parse_whole(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_amount(std::string_view text, double& value) {  // 0 or more, finite
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value) && value >= 0;
}

bool is_not_a_number(std::string_view text) {
  return text == "nan" || text == "-nan" || text == "inf" || text == "-inf";
}

bool parse_rate(std::string_view text, std::optional<double>& value) {
  if (is_not_a_number(text)) return true;
  return parse_amount(text, value.emplace());
}

bool parse_wrong(std::string_view text, std::optional<std::int64_t>& value) {
  double number = 0;
  if (text == "N/A") return true;
  if (!parse_amount(text, number) || number != std::floor(number) || number > 9e15) return false;
  value = std::int64_t(number);
  return true;
}

// "dddd-dd-dd" or "dd:dd:dd".
bool has_shape(std::string_view text, std::string_view shape) {
  if (text.size() != shape.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (shape[i] == 'd' ? !is_digit(text[i]) : text[i] != shape[i]) return false;
  return true;
}

bool parse_of_case(const std::string& column, std::string_view word, NcclRow& row) {
  std::int64_t root = 0;
  if (column == "size") return parse_whole(word, row.size_bytes) && row.size_bytes >= 0;
  if (column == "count") return parse_whole(word, row.count) && row.count >= 0;
  if (column == "root") {
    row.root = word;
    return parse_whole(word, root) && root >= -1;
  }
  if (column == "date" || column == "clock") {
    if (column == "clock") row.timestamp += ' ';
    row.timestamp += word;
    return has_shape(word, column == "date" ? "dddd-dd-dd" : "dd:dd:dd");
  }
  if (column == "type") row.dtype = word;
  if (column == "redop") row.redop = word;
  return is_word(word);
}

bool parse_of_half(const std::string& column, std::string_view word, NcclHalf& half) {
  double ignored = 0;
  if (column == "time") return parse_amount(word, half.time_us) && half.time_us > 0;
  if (column == "algbw") return parse_rate(word, half.algbw_GBps);
  if (column == "busbw") return parse_rate(word, half.busbw_GBps);
  if (column == "#wrong") return parse_wrong(word, half.n_wrong);
  if (column == "error") return is_not_a_number(word) || word == "N/A" || parse_amount(word, ignored);
  for (const auto& [printed, ours] : per_iteration)
    if (column == printed) return parse_amount(word, half.per_iteration[std::string(ours)]);
  return false;
}

bool is_of_case(std::string_view name) {
  constexpr std::array<std::string_view, 7> of_case = {"size", "count", "type", "redop",
                                                       "root", "date",  "clock"};
  return std::find(of_case.begin(), of_case.end(), name) != of_case.end();
}

bool is_known(std::string_view name) {
  constexpr std::array<std::string_view, 6> others = {"time",   "algbw", "busbw",
                                                      "#wrong", "error", "timestamp"};
  return is_of_case(name) || std::find(others.begin(), others.end(), name) != others.end() ||
         std::any_of(per_iteration.begin(), per_iteration.end(),
                     [&](const auto& one) { return one.first == name; });
}

}  // namespace

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    const std::size_t from = line.find_first_not_of(" \t", at);
    if (from == std::string_view::npos) break;
    at = std::min(line.find_first_of(" \t", from), line.size());
    words.push_back(line.substr(from, at - from));
  }
  return words;
}

NcclColumns::NcclColumns(const std::vector<std::string_view>& words, std::string_view halves,
                         const std::string& where) {
  int times = 0;
  for (const std::string_view word : words) {
    if (word == "cputime")
      fail(ErrorKind::data,
           "{}: the times are CPU times (-C 1), not how long the operation took; want a run without that "
           "option",
           where);
    if (!is_known(word)) fail(ErrorKind::data, "{}: column '{}' is not known", where, word);
    times += word == "time";
    if (word == "timestamp") names_.insert(names_.end(), {"date", "clock"});
    else names_.emplace_back(word);
  }
  const bool out = halves.find("out-of-place") != std::string_view::npos;
  std::string rest(halves);
  if (out) rest.erase(rest.find("out-of-place"), 12);
  const bool in = rest.find("in-place") != std::string::npos;
  if (times == 2) in_place_ = {false, true};
  else if (times == 1 && in != out) in_place_ = {in};
  else
    fail(ErrorKind::data,
         "{}: {} columns of times, and the line above says not which is in place; want one or two", where,
         times);
}

std::optional<NcclRow> NcclColumns::row(const std::vector<std::string_view>& words,
                                        std::string& problem) const {
  if (words.size() != names_.size()) {
    problem = fmt::format("{} fields; want {} as the header names", words.size(), names_.size());
    return std::nullopt;
  }
  NcclRow row;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (names_[i] == "time") row.halves.push_back({.in_place = in_place_[row.halves.size()]});
    const bool fits = is_of_case(names_[i]) ? parse_of_case(names_[i], words[i], row)
                                            : parse_of_half(names_[i], words[i], row.halves.back());
    if (fits) continue;
    problem = fmt::format("'{}' is no value of column {}", words[i], names_[i]);
    return std::nullopt;
  }
  return row;
}

bool NcclColumns::ends_as_a_row(const std::vector<std::string_view>& words) const {
  if (words.size() < names_.size()) return false;
  std::vector<std::string_view> last(words.end() - std::ptrdiff_t(names_.size()), words.end());
  last.front() = "0";
  std::string problem;
  return row(last, problem).has_value();
}

bool bandwidth_agrees(const NcclRow& row, const NcclHalf& half) {
  if (!half.algbw_GBps) return true;
  const double expected = double(row.size_bytes) / (half.time_us * 1e3);
  // Times are printed with two decimals, and with two digits ("1.2e+07") where seven characters do not hold
  // them; rates with two decimals, large ones with none.
  const double of_time = half.time_us >= 9.9e6 ? 0.06 : 0.02 + 0.006 / half.time_us;
  const double of_rate = expected >= 900 ? 0.6 : 0.006;
  return std::abs(*half.algbw_GBps - expected) <= of_rate + of_time * expected;
}

}  // namespace perflab
