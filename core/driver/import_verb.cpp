#include "bench/imported.h"

#include <algorithm>

#include "base/check.h"
#include "base/units.h"
#include "bench/results.h"
#include "driver/child.h"
#include "driver/text_table.h"
#include "driver/verbs.h"

namespace perflab {

int import_verb(const Options& options) {
  Imported imported = read_import(options.file);
  const bool measured = std::any_of(imported.samples.begin(), imported.samples.end(),
                                    [](const Sample& one) { return one.valid; });
  catch_stop_signals();  // from here on there is something to take back
  const Run run = write_import(std::move(imported), options.out, options.argv);
  const Json& facts = run.manifest().at("import");
  fmt::print("{} samples of {} cases from {} {} ({})\n", facts.at("samples").number(),
             facts.at("cases").number(), facts.at("producer").text(),
             facts.text_or("producer_version", "of an unknown version"), facts.at("file").text());
  for (const Json& note : facts.at("notes").array()) fmt::print("note: {}\n", note.text());
  fmt::print("\nrun {}: {}\n", run.id(), run.folder().string());
  const std::string name = options.out == default_results_folder() ? run.id() : run.folder().string();
  fmt::print("see it with:      perflab report '{0}'\ncompare it with:  perflab compare RUN '{0}'\n", name);
  if (measured) return exit_codes::ok;
  fmt::print(stderr, "perflab import: {} holds no valid measurement\n", facts.at("file").text());
  return exit_codes::no_samples;
}

std::string imported_table(const Run& run) {
  std::vector<std::vector<std::string>> lines = {
      {"case", "variant", "n", "median", "95 % interval", "status"}};
  for (const Json& lab : run.manifest().at("labs").array()) {
    const std::filesystem::path folder = run.folder() / lab.text();
    const Results results(read_samples(folder).samples, read_cases(folder).cases);
    for (const Series& series : results.all()) {
      const CaseRow& row = series.info;
      std::string status = row.status;
      if (!row.status_text.empty()) status += ": " + row.status_text;
      std::string center, interval;
      if (!series.timed.empty()) {
        const Estimate time = series.finish_ns();
        center = format_time(time.median * 1e-9);
        if (time.interval)
          interval = fmt::format("[{}, {}]", format_time(time.interval->lo * 1e-9),
                                 format_time(time.interval->hi * 1e-9));
      }
      lines.push_back(
          {row.case_id, row.variant, fmt::format("{}", series.timed.size()), center, interval, status});
    }
  }
  return aligned(lines);
}

}  // namespace perflab
