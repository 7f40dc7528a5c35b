#include <fmt/ranges.h>

#include <cstdio>

#include "base/check.h"
#include "driver/google_benchmark.h"
#include "driver/prediction_table.h"
#include "driver/session.h"
#include "driver/verbs.h"

namespace perflab {

int run_verb(const Options& options) {
  if (asks_google_benchmark(options)) return run_lab_under_google_benchmark(options);
  std::optional<Session> session;
  if (options.resume.empty()) session = begin_session(options);
  else session = resume_session(options);
  if (!session) {
    fmt::print("interrupted before the first lab; start again with the same command\n");
    return exit_codes::interrupted;
  }
  const Run& run = session->run;
  fmt::print("run {}, profile {}, {}\n", run.id(), session->request.profile.name,
             fmt::join(ids_of(session->request.labs), ", "));
  std::fflush(stdout);
  const CampaignEnd end = measure_session(*session);
  if (options.plots && end.anything) draw_session(*session);
  if (const std::string table = verdict_table(run.folder()); !table.empty()) fmt::print("\n{}", table);
  for (const Lab& lab : session->request.labs)  // a resumed predict
    if (const std::string table = prediction_table(run.folder() / lab.id); !table.empty())
      fmt::print("\n{}", table);
  print_places(run, end);
  return end.exit_code;
}

}  // namespace perflab
