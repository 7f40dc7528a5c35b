#include "bench/import_nccl.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "base/check.h"
#include "base/printable.h"
#include "base/units.h"
#include "bench/import_nccl_table.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

constexpr const char* lab_id = "nccl_tests";

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r") + 1 - from);
}

bool is_header(const std::vector<std::string_view>& words) {
  return words.size() > 3 && words[0] == "size" && words[1] == "count" && words[2] == "type";
}

// A line that NCCL_DEBUG prints: "node:123:456 [0] NCCL INFO ...".
bool is_nccl_log(std::string_view line) {
  constexpr std::array<std::string_view, 5> marks = {" NCCL INFO", " NCCL WARN", " NCCL TRACE", " NCCL ABORT",
                                                     "NCCL version "};
  return std::any_of(marks.begin(), marks.end(),
                     [&](std::string_view mark) { return line.find(mark) != std::string_view::npos; });
}

bool starts_with_digits(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

// The word or number behind `key` in a comment line, "" if it is not there.
std::string_view value_behind(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return "";
  const std::vector<std::string_view> words = words_of_line(line.substr(at + key.size()));
  return words.empty() ? "" : words.front();
}

// One program's output: from its first comment line to its summary.
struct Program {
  std::string op;
  std::set<std::string> ranks, hosts, gpus;
  std::int64_t iterations = 1;
  bool has_table = false;
};

class Reader {
 public:
  Reader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Imported read() {
    imported_.schema = {"", lab_id, {"op", "size_bytes", "dtype", "redop", "root", "ranks"}, {}};
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = text_.find('\n');
      terminated_ = end != std::string_view::npos;
      const std::string line = printable(trimmed(text_.substr(0, end)));
      text_.remove_prefix(terminated_ ? end + 1 : text_.size());
      if (line.starts_with('#')) comment(trimmed(std::string_view(line).substr(1)));
      else if (!line.empty()) other(line);
    }
    if (imported_.samples.empty())
      fail(ErrorKind::data, "{}: no row below a header of nccl-tests; want its whole output", source_);
    finish();
    return std::move(imported_);
  }

 private:
  std::string where() const { return fmt::format("{}: line {}", source_, line_); }
  [[noreturn]] void broken(const std::string& what) const {
    fail(ErrorKind::data, "{}: {}; nothing was imported", where(), what);
  }

  void comment(std::string_view line) {
    const std::vector<std::string_view> words = words_of_line(line);
    if (is_header(words)) return header(words);
    if (line.find("of-place") != std::string_view::npos || line.find("in-place") != std::string_view::npos)
      halves_ = line;
    if (line.starts_with("Collective test starting:")) {
      program_ = {};
      program_.op = value_behind(line, "starting:");
      if (program_.op.ends_with("_perf")) program_.op.resize(program_.op.size() - 5);
      if (program_.op.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") != std::string::npos)
        broken(fmt::format("'{}' is no name of an operation", program_.op));
    } else if (line.find("-tests version ") != std::string_view::npos) {
      version_ = value_behind(line, "-tests version ");
      producer_ = words.front();
      library_ = value_behind(line, "nccl-library=");
    } else if (line.starts_with("nThread")) {
      if (program_.has_table) program_ = {};
      std::int64_t iterations = 0;
      const std::size_t at = line.find("warmup iters:");
      const std::string_view behind = at == std::string_view::npos ? line : line.substr(at + 13);
      const std::string_view digits = value_behind(behind, "iters:");
      if (std::from_chars(digits.data(), digits.data() + digits.size(), iterations).ec == std::errc{} &&
          iterations > 0)
        program_.iterations = iterations;
    } else if (line.starts_with("Rank")) {
      rank(line, words);
    } else if (line.starts_with("Out of bounds values") || line.starts_with("Collective test concluded")) {
      open_ = false;
    }
  }

  void rank(std::string_view line, const std::vector<std::string_view>& words) {
    if (words.size() < 2 || !starts_with_digits(words[1])) return;
    if (program_.has_table) program_ = {};
    if (!program_.ranks.insert(std::string(words[1])).second)
      broken(fmt::format("rank {} stands twice: several programs wrote into this file", words[1]));
    if (const std::string_view host = value_behind(line, " on "); !host.empty())
      program_.hosts.insert(std::string(host));
    if (const std::size_t at = line.find(']'); at != std::string_view::npos)
      program_.gpus.insert(std::string(trimmed(line.substr(at + 1))));
  }

  void header(const std::vector<std::string_view>& words) {
    columns_.emplace(words, halves_, where());
    open_ = true;
    if (!program_.has_table) programs_.push_back(program_);
    program_.has_table = true;
    if (program_.op.empty()) unknown_op_ = true;
    if (program_.ranks.empty()) unknown_ranks_ = true;
    if (std::find(words.begin(), words.end(), "error") != words.end()) largest_error_ = true;
  }

  void other(std::string_view line) {
    const std::vector<std::string_view> words = words_of_line(line);
    std::string problem;
    if (!open_) {
      if (columns_ && columns_->row(words, problem)) broken("a row outside of a table");
      return;  // what launchers and loggers print before and after
    }
    if (starts_with_digits(words.front())) {
      const std::optional<NcclRow> found = columns_->row(words, problem);
      if (!found) broken("no whole row: " + problem);
      if (!terminated_) broken("the last row has no line end: it may have been cut off");
      return row(*found);
    }
    if (!is_nccl_log(line))
      broken("neither a row, nor a comment, nor a line of NCCL's log; a row may be hidden in it");
    if (columns_->ends_as_a_row(words)) broken("a row stands behind a log line");
  }

  void row(const NcclRow& row) {
    if (row.count > 0 && row.size_bytes % row.count != 0)
      broken(fmt::format("{} bytes are no multiple of {} elements: a digit was lost or added", row.size_bytes,
                         row.count));
    constexpr std::array<std::string_view, 6> plain = {"all_reduce", "all_gather", "reduce_scatter",
                                                       "broadcast",  "reduce",     "alltoall"};
    for (const NcclHalf& half : row.halves) {
      if (std::find(plain.begin(), plain.end(), program_.op) != plain.end() && !bandwidth_agrees(row, half))
        broken(fmt::format("algbw {} is not size {} over time {} us: a digit was lost or added",
                           *half.algbw_GBps, row.size_bytes, half.time_us));
      add(row, half);
    }
  }

  void add(const NcclRow& row, NcclHalf half) {
    const std::string ranks = program_.ranks.empty() ? "" : fmt::format("{}", program_.ranks.size());
    const bool one_rank = program_.ranks.size() == 1;
    if (one_rank && half.busbw_GBps == 0) half.busbw_GBps.reset();  // its factor is 0: not testable, not slow
    Sample sample;
    sample.experiment = program_.op.empty() ? "collective" : program_.op;
    sample.axes = {{"op", program_.op},  {"size_bytes", fmt::format("{}", row.size_bytes)},
                   {"dtype", row.dtype}, {"redop", row.redop},
                   {"root", row.root},   {"ranks", ranks}};
    sample.case_id = sample.experiment;
    for (const std::string& axis : imported_.schema.axes)
      if (axis != "op" && !sample.axes.at(axis).empty())
        sample.case_id += fmt::format("/{}={}", axis, sample.axes.at(axis));
    sample.variant = half.in_place ? "in_place" : "out_of_place";
    sample.evidence = "measured";
    sample.inner_iters = program_.iterations;
    sample.finish_ns = half.time_us * 1e3;
    sample.metrics = half.per_iteration;
    if (half.algbw_GBps) sample.metrics["algbw_GBps"] = *half.algbw_GBps;
    if (half.busbw_GBps) sample.metrics["busbw_GBps"] = *half.busbw_GBps;
    if (half.n_wrong) sample.metrics["wrong_count"] = double(*half.n_wrong);
    for (const auto& [name, value] : sample.metrics)
      if (std::find(imported_.schema.metrics.begin(), imported_.schema.metrics.end(), name) ==
          imported_.schema.metrics.end())
        imported_.schema.metrics.push_back(name);
    CaseRow& of_case = case_of(sample, half);
    sample.block = of_case.blocks++;
    add_collective(row, half, sample, ranks);
    imported_.samples.push_back(std::move(sample));
  }

  CaseRow& case_of(const Sample& sample, const NcclHalf& half) {
    const auto [place, fresh] = places_.try_emplace({sample.case_id, sample.variant}, imported_.cases.size());
    CaseRow& one = fresh ? imported_.cases.emplace_back() : imported_.cases[place->second];
    if (fresh) {
      one.experiment = sample.experiment;
      one.case_id = sample.case_id;
      one.variant = sample.variant;
      one.axes = sample.axes;
      one.profile = "imported";
      one.decides = false;
      one.evidence = sample.evidence;
      one.gate = half.n_wrong ? "passed" : "none";
      one.inner_iters = sample.inner_iters;
      one.status = "ok";
    }
    if (half.n_wrong.value_or(0) > 0) {
      one.gate = one.status = "failed";
      one.status_reason = "wrong_result";
      one.status_text = fmt::format("{} wrong elements", *half.n_wrong);
    }
    return one;
  }

  void add_collective(const NcclRow& row, const NcclHalf& half, const Sample& sample,
                      const std::string& ranks) {
    const auto number = [](const auto& value) {
      return value ? format_number(double(*value)) : std::string();
    };
    const auto per_iteration = [&](const char* name) {
      const auto found = half.per_iteration.find(name);
      return found == half.per_iteration.end() ? std::string() : format_number(found->second);
    };
    imported_.collectives.push_back(
        {program_.op, fmt::format("{}", row.size_bytes), row.dtype, row.redop, row.root,
         half.in_place ? "1" : "0", ranks, fmt::format("{}", sample.block), fmt::format("{}", row.count),
         format_number(half.time_us), number(half.algbw_GBps), number(half.busbw_GBps), number(half.n_wrong),
         per_iteration("i_min_us"), per_iteration("i_max_us"), per_iteration("i_p99_us"),
         per_iteration("i_cv_pct"), row.timestamp});
  }

  void item(const char* name, const std::set<std::string>& values) {
    if (values.empty()) return;
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : "; ") + value;
    imported_.environment.push_back({name, text, "lines '# Rank' of the imported file", EnvStatus::unknown});
  }

  void finish() {
    imported_.collectives_header = {"p_op",       "p_size_bytes", "p_dtype",        "p_redop",  "p_root",
                                    "p_in_place", "p_ranks",      "p_cycle",        "count",    "time_us",
                                    "algbw_GBps", "busbw_GBps",   "n_wrong",        "i_min_us", "i_max_us",
                                    "i_p99_us",   "i_cv_pct",     "timestamp_local"};
    std::set<std::string> hosts, gpus;
    for (const Program& program : programs_) {
      for (const std::string& host : program.hosts) hosts.insert(sha256_hex(host).substr(0, 12));
      gpus.insert(program.gpus.begin(), program.gpus.end());
    }
    item("hosts", hosts);  // told apart, not named
    item("gpus", gpus);
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    imported_.facts.set("kind", "nccl_tests_text");
    imported_.facts.set("producer", producer_);
    imported_.facts.set("producer_version", or_null(version_));
    imported_.facts.set("nccl_version", or_null(library_));
    imported_.complete = !open_;
    if (open_)
      imported_.notes.push_back("the file ends before 'Out of bounds values': the last rows may be missing");
    if (unknown_op_)
      imported_.notes.push_back("the file does not say which operation was measured: p_op is empty");
    if (unknown_ranks_) imported_.notes.push_back("the file does not list its ranks: p_ranks is empty");
    if (largest_error_)
      imported_.notes.push_back("column 'error' is a largest deviation, not a count: n_wrong is empty");
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t line_ = 0;
  bool terminated_ = true, open_ = false;
  bool unknown_op_ = false, unknown_ranks_ = false, largest_error_ = false;
  std::string halves_, version_, library_, producer_ = "nccl-tests";
  std::optional<NcclColumns> columns_;
  Program program_;
  std::vector<Program> programs_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // (case, variant) -> index of its row
  Imported imported_;
};

}  // namespace

bool looks_like_nccl(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    if (line.starts_with('#') && is_header(words_of_line(line.substr(1)))) return true;
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return false;
}

Imported parse_nccl(std::string_view text, const std::string& source) { return Reader(text, source).read(); }

}  // namespace perflab
