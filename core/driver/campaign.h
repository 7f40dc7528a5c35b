#pragma once
// Campaign — the labs of one run, one after the other: launches, judging, what became of each.
//
// After each lab its state is in the manifest on disk, so that a run that is killed can be resumed. A lab
// that crashes is named and counted; the others go on.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/device_flags.h"
#include "bench/profile.h"
#include "bench/run.h"
#include "driver/labs.h"

namespace perflab {

// What a lab's files take, for the check that the disk has room.
inline constexpr std::int64_t bytes_per_lab = 3'000'000, smoke_bytes_per_lab = 300'000;

struct CampaignRequest {
  std::vector<Lab> labs;  // in this order
  Profile profile;
  std::string profile_argument;  // as the labs are to load it: a name, or an absolute path
  std::string devices;
  DeviceFlags device_flags;
  std::uint64_t seed = 1;
  int fault = 0;
  std::vector<std::string> set, lab_flags;
  bool resume = false;
  bool announce = true;  // say which lab begins
};

struct CampaignEnd {
  int exit_code = 0;     // the first that applies of 130, 5, 7, 1, 4, 3
  bool complete = true;  // every lab was measured to its end
  bool interrupted = false;
  bool anything = false;  // at least one lab left files
};

CampaignEnd run_campaign(Run& run, const CampaignRequest& request);

// The more important of two exit codes.
int join_exit_codes(int a, int b);

// `LAB --judge FOLDER`; its exit code. Lines for the reader go to stdout.
int judge_lab(const Lab& lab, const std::filesystem::path& lab_folder);

// How small a difference the run could separate from 1, in its least sensitive lab; 0 = unknown.
double separates_above_ratio(const std::filesystem::path& run_folder, const std::vector<std::string>& labs);

// The labs' verdicts.csv, one after the other, become the run's. Error(data) if their headers differ.
void join_verdicts(const std::filesystem::path& run_folder, const std::vector<std::string>& labs);

}  // namespace perflab
