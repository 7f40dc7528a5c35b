#include "bench/peers.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/file.h"
#include "base/test_folder.h"
#include "device/topology.h"

namespace perflab {
namespace {

class PeersTest : public testing::Test {
 protected:
  // An "interpreter" with every module, which runs the commands instead of peer.py.
  std::string interpreter(const std::string& commands) {
    const std::filesystem::path file = folder_ / "python";
    write_file_atomically(file, "#!/bin/sh\n[ \"$1\" = -c ] && { echo \"$0\"; exit 0; }\n" + commands);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file.string();
  }
  TestFolder folder_;
};

const std::string good_commands = R"sh(
echo '{"library": "Fake", "version": "1", "threads": 1, "pid": '$$'}'
while read verb work; do
  case $work in
    pid) echo '{"seconds": 1, "correct": true, "numbers": {"pid": '$$'}}';;
    *)   exit 1;;
  esac
done
)sh";

double one_of(const PeerAnswer& answer) { return answer.number("pid"); }

}  // namespace

TEST_F(PeersTest, AMissingLibraryIsAReasonToSkip) {
  const FoundPeer found = start_peer("torch", {}, {"/no/such/python"});
  EXPECT_FALSE(found);
  EXPECT_EQ(found.absent.reason_code, "peer_missing:torch");
  EXPECT_EQ(found.absent.sentence, "PyTorch is not installed for /no/such/python; install python3-torch");
}

TEST_F(PeersTest, OneThatDoesNotStartIsAReasonToSkipToo) {
  const FoundPeer found = start_peer("numpy", {}, {interpreter("echo 'ImportError: libblas' >&2; exit 1")});
  EXPECT_FALSE(found);
  EXPECT_EQ(found.absent.reason_code, "peer_broken:numpy");
  EXPECT_NE(found.absent.sentence.find("ImportError: libblas"), std::string::npos) << found.absent.sentence;
}

TEST_F(PeersTest, AnUnknownKindIsAMistake) {
  EXPECT_THROW(find_peer("nunpy", {}), Error);
  EXPECT_THROW(peer_threads(-1), Error);
}

TEST_F(PeersTest, TheSameKindAndEnvironmentIsTheSameChildWhileItLives) {
  const std::string python = interpreter(good_commands);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  const FoundPeer first = find_peer("numpy", {{"A", "1"}}), again = find_peer("numpy", {{"A", "1"}}),
                  other = find_peer("numpy", {{"A", "2"}});
  ASSERT_TRUE(first && again && other);
  EXPECT_EQ(one_of(first->run("pid")), one_of(again->run("pid")));
  EXPECT_NE(one_of(first->run("pid")), one_of(other->run("pid")));
  EXPECT_THROW(first->run("dies"), Error);
  const FoundPeer replaced = find_peer("numpy", {{"A", "1"}});
  ::unsetenv("PERFLAB_PYTHON");
  ASSERT_TRUE(replaced);
  EXPECT_TRUE(replaced->is_alive());
}

TEST_F(PeersTest, WhatWasAskedForStandsInTheLabsFolderOnceAndInTheManifest) {
  const std::filesystem::path lab = folder_ / "02_lab";
  std::filesystem::create_directories(lab);
  write_file_atomically(lab / "peers.json", "[{\"kind\": \"of an earlier launch\"}]");
  const std::string python = interpreter(good_commands);
  ::setenv("PERFLAB_PYTHON", python.c_str(), 1);
  ASSERT_TRUE(find_peer("torch", {{"A", "1"}}));
  interpreter("exit 1\n");
  ASSERT_FALSE(find_peer("torch", {{"A", "2"}}));
  ::unsetenv("PERFLAB_PYTHON");
  record_peers(lab);
  const std::string first = read_file(lab / "peers.json");
  record_peers(lab);
  EXPECT_EQ(read_file(lab / "peers.json"), first);

  const Json all = read_peers(folder_.path(), {"02_lab", "04_lab"});
  EXPECT_EQ(all.object().size(), 1u);
  const Json::Array& peers = all.at("02_lab").array();
  EXPECT_EQ(peers.front().at("kind").text(), "of an earlier launch");
  const Json &found = peers[peers.size() - 2], &absent = peers.back();
  EXPECT_EQ(found.at("kind").text(), "torch");
  EXPECT_EQ(found.at("version").text(), "1");
  EXPECT_EQ(found.at("variables").at("A").text(), "1");
  EXPECT_EQ(absent.at("variables").at("A").text(), "2");
  EXPECT_EQ(absent.at("absent").text(), "peer_broken:torch");
}

TEST(PeerThreads, SetEveryPool) {
  for (const auto& [threads, text] :
       {std::pair(3, std::string("3")), std::pair(0, std::to_string(this_machine().effective_cpus))}) {
    const Variables variables = peer_threads(threads);
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"})
      EXPECT_EQ(
          std::count(variables.begin(), variables.end(), std::pair<std::string, std::string>(name, text)), 1)
          << name;
    EXPECT_EQ(std::count(variables.begin(), variables.end(),
                         std::pair<std::string, std::string>("OMP_WAIT_POLICY", "passive")),
              1);
  }
}

// The real ones, where they are installed; experiments/peers has the tests of their works.
TEST(RealPeer, NumPyDoesTheArticlesLoop) {
  const FoundPeer numpy = find_peer("numpy", peer_threads(1));
  if (!numpy) GTEST_SKIP() << numpy.absent.sentence;
  EXPECT_EQ(numpy->identity().library, "NumPy");
  EXPECT_EQ(numpy->identity().threads, 1) << numpy->identity().label();
  const PeerAnswer answer =
      numpy->run("numpy_loop", {{"n", "64"}, {"rounds", "2"}, {"dtype", "f32"}, {"generator", "philox"}});
  EXPECT_GT(answer.number("rng_s"), 0);
  EXPECT_GT(answer.number("matmul_s"), 0);
  EXPECT_THROW(numpy->run("numpy_loop", {{"n", "64"}, {"rounds", "0"}}), Error);
  EXPECT_TRUE(numpy->is_alive());
}

TEST(RealPeer, OuterThreadsTimesTheThreadsOfTheirBlasAreNoMoreThanTheUsableProcessors) {
  const int cpus = this_machine().effective_cpus;
  if (cpus < 2) GTEST_SKIP() << "two threads that compute at once need two processors";
  const TestFolder folder;
  const FoundPeer shared = find_peer("numpy", peer_threads(cpus / 2)),
                  alone = find_peer("numpy", peer_threads(0));
  if (!shared || !alone) GTEST_SKIP() << shared.absent.sentence;
  EXPECT_GT(shared->run("python_threads", {{"threads", "2"}, {"mode", "numpy"}, {"count", "2"}}).seconds, 0);
  record_peers(folder.path());
  int recorded = 0;
  const std::string lab = folder.path().filename().string();
  const Json all = read_peers(folder.path().parent_path(), {lab});
  for (const Json& peer : all.at(lab).array()) {
    const Json* blas = peer.find("blas_threads");
    if (blas == nullptr || blas->is_null() || peer.text_or("library", "") != "NumPy") continue;
    const bool half = peer.at("variables").at("OPENBLAS_NUM_THREADS").text() == std::to_string(cpus / 2);
    EXPECT_LE((half ? 2 : 1) * blas->number(), cpus);
    ++recorded;
  }
  if (shared->identity().blas_threads > 0) {
    EXPECT_GE(recorded, 2);
  }
}

TEST(RealPeer, PyTorchDoesItOrIsSaidToBeMissing) {
  const FoundPeer torch = find_peer("torch", peer_threads(1));
  if (!torch) {
    EXPECT_TRUE(torch.absent.reason_code == "peer_missing:torch" ||
                torch.absent.reason_code == "peer_broken:torch");
    GTEST_SKIP() << torch.absent.sentence;
  }
  EXPECT_EQ(torch->identity().threads, 1) << torch->identity().label();
  EXPECT_GT(torch->run("torch_loop", {{"n", "64"}, {"rounds", "2"}}).number("submit_s"), 0);
}

TEST(RealPeer, BothFrontEndsOfPyTorchGiveTheSameResult) {
  const FoundPeer python = find_peer("torch", peer_threads(1)), cpp = find_peer("torch_cpp", peer_threads(1));
  if (!python || !cpp) GTEST_SKIP() << python.absent.sentence << cpp.absent.sentence;
  for (const char* op : {"add", "matmul"}) {
    const PeerSettings settings = {{"op", op}, {"n", "1024"}, {"count", "3"}};
    EXPECT_EQ(python->run("torch_ops", settings).number("checksum"),
              cpp->run("torch_ops", settings).number("checksum"))
        << op;
  }
  EXPECT_THROW(cpp->run("torch_ops", {{"op", "matmul"}, {"n", "10"}, {"count", "1"}}), Error);
  EXPECT_TRUE(cpp->is_alive());
}

}  // namespace perflab
