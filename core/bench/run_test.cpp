#include "bench/run.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <regex>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "bench/manifest.h"
#include "bench/sha256.h"

namespace perflab {
namespace {

class RunFolder : public testing::Test {
 protected:
  perflab::Run create() {
    return perflab::Run::create({.out = out_,
                                 .argv = {"perflab", "run", "04"},
                                 .profile = "smoke",
                                 .seed = 7,
                                 .fault = 0,
                                 .parent_run_id = "",
                                 .labs = {"04_hardware"}});
  }
  perflab::Run finished() {
    perflab::Run run = create();
    write_file_atomically(run.lab_folder("04_hardware") / "samples.csv", "a,b\n1,\"x\ny\"\n2,z\n");
    run.finish("complete", 0);
    return run;
  }
  std::string snapshot(const std::filesystem::path& folder) {
    return list_outputs(folder).dump() + read_file(folder / "manifest.json");
  }

  const TestFolder owner_;
  const std::filesystem::path out_ = owner_ / "results";
};

template <typename Function>
std::string data_error(Function function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace

TEST_F(RunFolder, IsNamedAfterUtcTimeAndSixHexDigits) {
  const perflab::Run run = create();
  EXPECT_TRUE(std::regex_match(run.id(), std::regex("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{6}"))) << run.id();
  EXPECT_EQ(run.folder(), out_ / run.id());
}

TEST_F(RunFolder, SaysRunningWhileItsProcessLivesAndInterruptedWhenNot) {
  perflab::Run run = create();
  EXPECT_EQ(run.status(), "running");
  EXPECT_EQ(perflab::Run::open(run.folder()).status(), "running");
  Json process = run.manifest().at("process");
  process.set("start_ticks", process.at("start_ticks").number() + 1);  // the same pid, but another process
  run.set("process", process);
  run.save();
  EXPECT_EQ(perflab::Run::open(run.folder()).status(), "interrupted");
}

TEST_F(RunFolder, ManifestHoldsWhereTheRunCameFrom) {
  const Json manifest = finished().manifest();
  for (const char* field : {"schema",        "run_id",
                            "status",        "exit_code",
                            "started_utc",   "ended_utc",
                            "argv",          "cwd_kind",
                            "profile",       "seed",
                            "suite_version", "git_commit",
                            "git_dirty",     "dirty_diff_sha256",
                            "build",         "libs",
                            "binaries",      "lab_schema_sha256",
                            "claims_sha256", "env_sha256",
                            "host_alias",    "outputs",
                            "parent_run_id", "peers"})
    EXPECT_NE(manifest.find(field), nullptr) << field;
  EXPECT_EQ(manifest.at("seed").number(), 7);
  EXPECT_EQ(manifest.at("status").text(), "complete");
  EXPECT_EQ(manifest.at("build").at("compiler").text().empty(), false);
  EXPECT_EQ(manifest.at("binaries").object().front().second.text(), sha256_file("/proc/self/exe"));
}

TEST_F(RunFolder, FinishHashesEveryOutputAndNamesTheLatestRun) {
  const perflab::Run run = finished();
  const Json stored = Json::parse(read_file(run.folder() / "manifest.json"), "manifest");
  ASSERT_EQ(stored.at("outputs").array().size(), 2u);
  const Json& samples = stored.at("outputs").array().front();
  EXPECT_EQ(samples.at("path").text(), "04_hardware/samples.csv");
  EXPECT_EQ(samples.at("rows").number(), 2);  // the newline inside quotes is no row
  EXPECT_EQ(samples.at("sha256").text(), sha256_file(run.folder() / "04_hardware/samples.csv"));
  EXPECT_EQ(read_file(out_ / "latest"), run.id() + "\n");
  EXPECT_FALSE(std::filesystem::exists(run.folder() / "manifest.json.part"));
  EXPECT_NO_THROW(perflab::Run::open(run.folder()).verify_outputs());
}

TEST_F(RunFolder, ASecondRunLeavesTheFirstByteIdentical) {
  const perflab::Run first = finished();
  const std::string before = snapshot(first.folder());
  const perflab::Run second = finished();
  EXPECT_NE(first.id(), second.id());
  EXPECT_EQ(snapshot(first.folder()), before);
}

TEST_F(RunFolder, ATakenNameIsNotTouched) {
  std::filesystem::create_directories(out_ / "taken");
  write_file_atomically(out_ / "taken" / "file", "mine");
  int calls = 0;
  const auto folder = make_run_folder(out_, [&] { return ++calls < 3 ? "taken" : "free"; });
  EXPECT_EQ(folder, out_ / "free");
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(read_file(out_ / "taken" / "file"), "mine");
  EXPECT_THROW(make_run_folder(out_, [] { return "taken"; }), Error);
}

TEST_F(RunFolder, ATamperedOutputIsNamed) {
  const perflab::Run run = finished();
  const auto file = run.folder() / "04_hardware" / "samples.csv";
  const std::string whole = read_file(file);
  const auto check = [&] { perflab::Run::open(run.folder()).verify_outputs(); };
  std::string changed = whole;
  changed[changed.size() - 2] = 'Z';  // same bytes, same rows
  write_file_atomically(file, changed);
  EXPECT_NE(data_error(check).find(file.string()), std::string::npos);
  write_file_atomically(file, whole.substr(0, whole.size() - 4));
  EXPECT_NE(data_error(check).find("bytes"), std::string::npos);
  std::filesystem::remove(file);
  EXPECT_NE(data_error(check).find("missing"), std::string::npos);
  write_file_atomically(file, whole);
  EXPECT_NO_THROW(check());
}

TEST_F(RunFolder, ChartsReportAndLogMayBeLeftOutOfAKeptRunAndNothingElse) {
  perflab::Run run = finished();
  const std::vector<std::string> drawn = {"04_hardware/plots/04_peak.svg", "report.html", "log.txt"};
  std::filesystem::create_directories(run.folder() / "04_hardware/plots");
  for (const std::string& file : drawn) write_file_atomically(run.folder() / file, "x");
  run.refresh_outputs();
  const auto check = [&] { perflab::Run::open(run.folder()).verify_outputs(); };
  write_file_atomically(run.folder() / drawn.front(), "y");
  EXPECT_NE(data_error(check).find(drawn.front()), std::string::npos);
  for (const std::string& file : drawn) std::filesystem::remove(run.folder() / file);
  EXPECT_NO_THROW(check());
  std::filesystem::remove(run.folder() / "04_hardware/samples.csv");
  EXPECT_NE(data_error(check).find("samples.csv"), std::string::npos);
}

TEST_F(RunFolder, AFolderWithoutAReadableManifestIsADataError) {
  const perflab::Run run = finished();
  EXPECT_NE(data_error([&] { perflab::Run::open(out_); }).find("manifest.json"), std::string::npos);
  write_file_atomically(run.folder() / "manifest.json", "");
  data_error([&] { perflab::Run::open(run.folder()); });
}

TEST_F(RunFolder, AnEmptyOrStrangeStatusMeansFailed) {
  perflab::Run run = finished();
  run.set("status", "");
  EXPECT_EQ(run.status(), "failed");
  run.set("status", "splendid");
  EXPECT_EQ(run.status(), "failed");
}

TEST_F(RunFolder, OnlyUnfinishedRunsResume) {
  perflab::Run complete = finished();
  EXPECT_THROW(complete.resume(), Error);
  perflab::Run running = create();
  EXPECT_THROW(running.resume(), Error);
  perflab::Run stopped = create();
  stopped.finish("interrupted", 130);
  stopped = perflab::Run::open(stopped.folder());
  stopped.resume({"perflab", "run", "--resume", "latest"});
  EXPECT_EQ(perflab::Run::open(stopped.folder()).status(), "running");
  const Json& sessions = stopped.manifest().at("sessions");
  ASSERT_EQ(sessions.array().size(), 1u);
  EXPECT_EQ(sessions.array().front().at("status").text(), "interrupted");
  stopped.finish("complete", 0);
  EXPECT_EQ(perflab::Run::open(stopped.folder()).status(), "complete");
}

TEST_F(RunFolder, IsFoundByIdByPathAndAsTheLatest) {
  const perflab::Run first = finished(), second = finished();
  EXPECT_EQ(find_run(out_, "latest"), second.folder());
  EXPECT_EQ(find_run(out_, first.id()), first.folder());
  EXPECT_EQ(find_run("/nowhere", first.folder().string()), first.folder());
  try {
    find_run(out_, first.id().substr(0, first.id().size() - 1) + "~");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find(first.id()), std::string::npos);
  }
  EXPECT_THROW(find_run(out_ / "none", "latest"), Error);
}

TEST_F(RunFolder, ADiskThatFillsUpLeavesTheManifestUnfinished) {
  perflab::Run run = create();
  write_file_atomically(run.lab_folder("04_hardware") / "samples.csv", std::string(4000, 'x') + "\n");
  const std::string before = read_file(run.folder() / "manifest.json");
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit tiny{100, old.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &tiny);
  try {
    run.finish("complete", 0);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(read_file(run.folder() / "manifest.json"), before);
  EXPECT_EQ(read_file(out_ / "latest"), run.id() + "\n") << "named since it began, so that it can be resumed";
}

TEST_F(RunFolder, AHostAliasIsKeptAndSaysNothingOfTheHost) {
  std::filesystem::create_directories(out_);
  const std::string alias = host_alias(out_);
  EXPECT_TRUE(std::regex_match(alias, std::regex("host-[0-9a-f]{8}"))) << alias;
  EXPECT_EQ(host_alias(out_), alias);
  EXPECT_NE(host_alias(out_ / "elsewhere"), "");
}

}  // namespace perflab
