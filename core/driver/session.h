#pragma once
// Session — one run from the checked command line to the finished manifest: what run, predict and tour share.
//
// begin_session() measures this machine's ceilings where none are stored and makes the run's folder;
// measure_session() takes the labs one after the other, judges them and finishes the manifest;
// draw_session() adds charts and report, which are never in the way of the results.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/predictions.h"
#include "bench/run.h"
#include "driver/campaign.h"
#include "driver/options.h"

namespace perflab {

struct Session {
  Run run;
  CampaignRequest request;
};

// Everything that was typed, held against the labs, before anything is made.
CampaignRequest checked_request(const Options& options, const std::vector<Lab>& all);

// An answer must not be lost to a full disk: the folder is tried before anything is asked, and leaves no
// trace.
void check_out(const std::string& out);

// Nothing: the user stopped it before the first lab.
std::optional<Session> begin_session(const Options& options);
// The same with predictions: they are sealed, and `sealed` is called, before anything at all is measured, the
// ceilings included.
std::optional<Session> begin_session(const Options& options, const std::vector<Prediction>& predictions,
                                     const std::function<void(const Run&)>& sealed);
// The stored run decides what is measured: samples of two builds or two profiles would not be one run.
// Nothing: the user stopped it again while the ceilings were measured that it lacks.
std::optional<Session> resume_session(const Options& options);

CampaignEnd measure_session(Session& session);
void draw_session(Session& session);
// Where the results and the report are, and how to finish an interrupted run.
void print_places(const Run& run, const CampaignEnd& end);

std::vector<std::string> ids_of(const std::vector<Lab>& labs);

}  // namespace perflab
