#include "bench/import_gbench.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"
#include "bench/import_gbench_parts.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

// Everything else in a row is a counter if it is a number.
const std::set<std::string> known_fields = {"name",
                                            "family_index",
                                            "per_family_instance_index",
                                            "run_name",
                                            "run_type",
                                            "repetitions",
                                            "repetition_index",
                                            "threads",
                                            "iterations",
                                            "real_time",
                                            "cpu_time",
                                            "time_unit",
                                            "label",
                                            "error_occurred",
                                            "error_message",
                                            "skipped",
                                            "skip_message",
                                            "custom_context"};

class Reader {
 public:
  Reader(const Json& document, const std::string& source) : document_(document), source_(source) {}

  Imported read() {
    imported_.schema.lab_id = "gbench";
    const Json* context = document_.find("context");
    const Json* rows = document_.find("benchmarks");
    if (context == nullptr || rows == nullptr)
      fail(ErrorKind::data,
           "{}: JSON, but not of Google Benchmark; want an object with 'context' and 'benchmarks'", source_);
    read_context(*context);
    const Json::Array& array = list(*rows, "benchmarks");
    for (std::size_t i = 0; i < array.size(); ++i) read_row(array[i], i + 1);
    if (imported_.cases.empty())
      fail(ErrorKind::data,
           "{}: no single measurements, {} aggregates; want a file written without "
           "--benchmark_report_aggregates_only",
           source_, aggregates_);
    finish();
    return std::move(imported_);
  }

 private:
  const Json::Array& list(const Json& json, const char* name) const {
    try {
      return json.array();
    } catch (const Error&) {
      fail(ErrorKind::data, "{}: '{}' is no list", source_, name);
    }
  }

  void item(const char* name, const char* field, const Json* value) {
    if (value == nullptr || is_not_finite(*value)) return;
    imported_.environment.push_back(
        {name, *value, fmt::format("context.{} of the imported file", field), EnvStatus::unknown});
  }

  void read_context(const Json& context) {
    // A name is told apart from others, and stays with its owner.
    if (const std::string host = context.text_or("host_name", ""); !host.empty()) {
      const Json hash = sha256_hex(host).substr(0, 12);
      item("host_name_hash", "host_name", &hash);
    }
    item("logical_cpus", "num_cpus", context.find("num_cpus"));
    item("cpu_now_mhz", "mhz_per_cpu", context.find("mhz_per_cpu"));
    item("cpu_scaling_enabled", "cpu_scaling_enabled", context.find("cpu_scaling_enabled"));
    item("aslr", "aslr_enabled", context.find("aslr_enabled"));
    item("load_average_start", "load_avg", context.find("load_avg"));
    if (const Json* caches = context.find("caches")) read_caches(list(*caches, "caches"));
    // Before 1.9 the file names no version; our own labs add one, and what they were asked for.
    const std::string version =
        context.text_or("library_version", context.text_or("perflab_google_benchmark", ""));
    for (const char* field : {"perflab_version", "perflab_lab", "perflab_profile", "perflab_seed",
                              "perflab_device", "perflab_fault"})
      if (const std::string value = context.text_or(field, ""); !value.empty())
        imported_.facts.set(field, value);
    ours_ = !context.text_or("perflab_version", "").empty();
    std::string program = context.text_or("executable", "");
    program = program.substr(program.find_last_of("/\\") + 1);
    const auto or_null = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    imported_.facts.set("kind", "google_benchmark_json");
    imported_.facts.set("producer", "Google Benchmark");
    imported_.facts.set("producer_version", or_null(version));
    imported_.facts.set("producer_build_type", or_null(context.text_or("library_build_type", "")));
    imported_.facts.set("measured", or_null(context.text_or("date", "")));
    imported_.facts.set("program", or_null(program));
    version_ = version;
  }

  void read_caches(const Json::Array& caches) {
    for (const Json& cache : caches) {
      const std::string type = cache.text_or("type", "");
      const Json *level = cache.find("level"), *bytes = cache.find("size");
      if ((type != "Data" && type != "Unified") || level == nullptr || bytes == nullptr || !is_number(*level))
        continue;
      item(fmt::format("cache_L{}_bytes", int(level->number())).c_str(), "caches", bytes);
    }
  }

  void read_row(const Json& json, std::size_t number) {
    const GbenchRow row(json, number, source_);
    const std::string type = row.text("run_type");
    if (type == "aggregate") {
      ++aggregates_;
      return;
    }
    if (type != "iteration") row.broken(fmt::format("run_type '{}'; want iteration or aggregate", type));
    if (row.text("run_name") != row.name())
      row.broken(fmt::format("its run_name is '{}'", row.text("run_name")));

    const GbenchName name = split_gbench_name(row.name());
    for (const auto& [axis, value] : name.axes) add(imported_.schema.axes, axis);
    Sample sample;
    sample.experiment = name.experiment;
    sample.case_id = name.case_id;
    sample.variant = name.variant;
    sample.axes = name.axes;
    sample.evidence = "measured";
    sample.block = int(row.whole("repetition_index", 0));
    if (!seen_.insert(fmt::format("{}\n{}\n{}", name.case_id, name.variant, sample.block)).second)
      row.broken(fmt::format("it stands twice with repetition_index {}", sample.block));
    const int threads = int(row.whole("threads", 1));
    threaded_ += threads > 1;
    CaseRow& of_case = case_of(name, threads, row);
    if (row.flag("error_occurred")) return ends(of_case, "failed", "error_occurred", row, "error_message");
    if (row.flag("skipped")) return ends(of_case, "skipped", "skipped", row, "skip_message");

    sample.inner_iters = row.whole("iterations", 1);
    sample.finish_ns = row.time_ns("real_time");
    sample.proc_cpu_ns_per_iter = row.time_ns("cpu_time");
    sample.valid = *sample.finish_ns > 0;
    if (!sample.valid) sample.invalid_reason = "nonpositive_duration";
    of_case.inner_iters = sample.inner_iters;
    ++of_case.blocks;
    if (json.find("label") != nullptr) read_label(row.text("label"), sample, of_case);
    read_counters(json, row, sample);
    imported_.samples.push_back(std::move(sample));
  }

  // A label is free text, kept beside the case. In files of our own labs it says why a time is no measured
  // one, or no valid one.
  void read_label(const std::string& label, Sample& sample, CaseRow& of_case) const {
    of_case.status_text = label;
    if (!ours_) return;
    for (std::size_t from = 0; from <= label.size();) {
      const std::size_t end = std::min(label.find(", ", from), label.size());
      const std::string word = label.substr(from, end - from);
      from = end + 2;
      if (word == "link modelled") {
        sample.link = of_case.link = "modelled";
      } else if (word == "modelled" || word == "simulated" || word == "analytic") {
        sample.evidence = of_case.evidence = word;
      } else if (!word.empty()) {
        sample.valid = false;
        sample.invalid_reason = word;
      }
    }
  }

  void read_counters(const Json& json, const GbenchRow& row, Sample& sample) {
    for (const auto& [field, value] : json.object()) {
      if (known_fields.contains(field)) continue;
      if (is_number(value)) {
        add(imported_.schema.metrics, field);
        sample.metrics[field] = value.number();
      } else if (is_not_finite(value) || value.is_null()) {
        add(imported_.schema.metrics, field);
        imported_.notes.push_back(
            fmt::format("{}: counter '{}' is no finite number: an empty cell", row.name(), field));
      } else {
        add(left_out_, field);
      }
    }
  }

  CaseRow& case_of(const GbenchName& name, int threads, const GbenchRow& row) {
    const auto [found, fresh] = places_.try_emplace({name.case_id, name.variant}, imported_.cases.size());
    if (!fresh) {
      CaseRow& one = imported_.cases[found->second];
      if (one.threads != threads)
        row.broken(fmt::format("{} threads, and {} in an earlier repetition", threads, one.threads));
      return one;
    }
    CaseRow& one = imported_.cases.emplace_back();
    one.experiment = name.experiment;
    one.case_id = name.case_id;
    one.variant = name.variant;
    one.axes = name.axes;
    one.profile = "imported";
    one.decides = false;
    one.evidence = "measured";
    one.threads = threads;
    one.gate = "none";
    one.status = "ok";
    return one;
  }

  static void ends(CaseRow& of_case, const char* status, const char* reason, const GbenchRow& row,
                   const char* message) {
    of_case.status = status;
    of_case.status_reason = reason;
    of_case.status_text = row.text(message);
  }

  void finish() {
    std::set<std::pair<std::string, std::string>> measured;
    for (const Sample& sample : imported_.samples)
      if (sample.valid) measured.insert({sample.case_id, sample.variant});
    for (CaseRow& row : imported_.cases)
      if (row.status == "ok" && !measured.contains({row.case_id, row.variant})) {
        row.status = "failed";
        row.status_reason = "no_valid_samples";
      }
    imported_.facts.set("aggregates_left_out", double(aggregates_));
    const std::string meaning = threaded_real_time(version_);
    imported_.facts.set("threaded_real_time", meaning.empty() ? Json() : Json(meaning));
    if (threaded_ > 0 && meaning.empty())
      imported_.notes.push_back(
          fmt::format("{}: whether real_time of the {} rows with threads was divided by their number is not "
                      "known, so these "
                      "rows are compared with nothing",
                      version_.empty() ? "the file names no library_version"
                                       : fmt::format("library_version is '{}'", version_),
                      threaded_));
    for (const std::string& field : left_out_)
      imported_.notes.push_back(fmt::format("field '{}' is not known and was left out", field));
  }

  static void add(std::vector<std::string>& list, const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }

  const Json& document_;
  const std::string& source_;
  Imported imported_;
  std::string version_;
  std::set<std::string> seen_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // (case, variant) -> its row
  std::vector<std::string> left_out_;
  int aggregates_ = 0, threaded_ = 0;
  bool ours_ = false;
};

}  // namespace

Imported parse_gbench(std::string_view text, const std::string& source) {
  const Json document = printable(Json::parse(without_bare_nan(text), source));
  return Reader(document, source).read();
}

}  // namespace perflab
