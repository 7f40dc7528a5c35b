#include "bench/peer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>

#include "base/check.h"
#include "base/stop.h"
#include "bench/case.h"

namespace perflab {
namespace {

// A peer that does what its works are called. $$ is its own pid.
const std::string script = R"sh(
echo '{"library": "Fake", "version": "1.2", "blas": "OpenBLAS 0.3", "threads": 1, "runtime": "sh", "pid": '$$'}'
while read verb work settings; do
  case $work in
    right)   echo '{"seconds": 0.5, "correct": true, "numbers": {"rng_s": 0.25, "checksum": -3e2}}';;
    wrong)   echo '{"seconds": 0.5, "correct": false}';;
    raises)  echo '{"error": "ValueError: no such size"}';;
    settings) [ "$verb $settings" = "run n=10 dtype=f32" ] && echo '{"seconds": 1, "correct": true}';;
    threads) echo '{"seconds": 1, "correct": true, "numbers": {"omp": '${OMP_NUM_THREADS:-0}', "mkl": '${MKL_NUM_THREADS:-0}'}}';;
    garbage) echo 'Traceback (most recent call last):';;
    nothing) echo '{"correct": true}';;
    unsure)  echo '{"seconds": 1}';;
    no_time) echo '{"seconds": 0, "correct": true}';;
    silent)  echo 'thinking' >&2; sleep 1000;;
    crashes) echo 'last words' >&2; kill -SEGV $$;;
    leaves)  echo 'out of memory' >&2; exit 3;;
  esac
done
)sh";

Peer fake(const Variables& variables = {}) { return {"fake", {"/bin/sh", "-c", script}, variables}; }
Peer saying(const std::string& commands, int limit_ms = 15'000) {
  return {"fake", {"/bin/sh", "-c", commands}, {}, limit_ms};
}

// Throws the Error on; its text must hold every one of the pieces.
template <typename Work>
void expect_error(const Work& work, std::vector<std::string> pieces) {
  try {
    work();
    ADD_FAILURE() << "no Error; want one with " << pieces.front();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::environment);
    for (const std::string& piece : pieces)
      EXPECT_NE(std::string(error.what()).find(piece), std::string::npos) << error.what();
  }
}

}  // namespace

TEST(Peer, SaysWhoItIs) {
  const Peer peer = fake();
  const PeerIdentity& who = peer.identity();
  EXPECT_EQ(who.kind, "fake");
  EXPECT_EQ(who.subject(), "framework:Fake-1.2");
  EXPECT_EQ(who.label(), "Fake 1.2, OpenBLAS 0.3, 1 thread");
  EXPECT_EQ(::kill(pid_t(who.pid), 0), 0);
  EXPECT_EQ(who.json().at("blas").text(), "OpenBLAS 0.3");
  EXPECT_TRUE(who.json().at("blas_threads").is_null());
}

TEST(Peer, ItsLabelNamesTwoPoolsThatDiffer) {
  const PeerIdentity who{
      .kind = "torch", .library = "PyTorch", .version = "2", .blas = "B", .threads = 2, .blas_threads = 1};
  EXPECT_EQ(who.label(), "PyTorch 2, B, 2 threads (1 in its BLAS)");
}

TEST(Peer, AnswersWithItsOwnSecondsAndNumbers) {
  const Peer peer = fake();
  for (int i = 0; i < 3; ++i) {
    const PeerAnswer answer = peer.run("right");
    EXPECT_EQ(answer.seconds, 0.5);
    EXPECT_EQ(answer.number("rng_s"), 0.25);
    EXPECT_EQ(answer.number("checksum"), -300);
    EXPECT_THROW(answer.number("matmul_s"), Error);
  }
  EXPECT_EQ(peer.run("settings", {{"n", "10"}, {"dtype", "f32"}}).seconds, 1);
  const Peer copy = peer;
  EXPECT_EQ(copy.identity().pid, peer.identity().pid);
}

TEST(Peer, ARequestIsWordsWithoutBlanks) {
  const Peer peer = fake();
  EXPECT_THROW(peer.run(""), Error);
  EXPECT_THROW(peer.run("right now"), Error);
  EXPECT_THROW(peer.run("right", {{"n", "1 m=2"}}), Error);
  EXPECT_THROW(peer.run("right", {{"n", "1\nrun"}}), Error);
  EXPECT_EQ(peer.run("right").seconds, 0.5) << "none of them was sent";
}

TEST(Peer, ThreadsAreWhatItsLabSaysAndNotWhatWeInherited) {
  ::setenv("MKL_NUM_THREADS", "7", 1);
  const PeerAnswer answer = fake({{"OMP_NUM_THREADS", "2"}}).run("threads");
  ::unsetenv("MKL_NUM_THREADS");
  EXPECT_EQ(answer.number("omp"), 2);
  EXPECT_EQ(answer.number("mkl"), 0);
}

TEST(Peer, AnExceptionIsAnErrorAndThePeerLivesOn) {
  const Peer peer = fake();
  expect_error(
      [&] {
        peer.run("raises", {{"n", "0"}});
      },
      {"peer fake", "run raises n=0", "ValueError: no such size"});
  EXPECT_TRUE(peer.is_alive());
  EXPECT_EQ(peer.run("right").seconds, 0.5);
}

TEST(Peer, AResultThatItFindsWrongIsRefused) {
  const Peer peer = fake();
  EXPECT_THROW(peer.run("wrong"), WrongResult);
  EXPECT_TRUE(peer.is_alive());
}

TEST(Peer, ItsDeathIsAnErrorWithItsLastWords) {
  const Peer crashing = fake(), leaving = fake();
  expect_error([&] { crashing.run("crashes"); },
               {"run crashes", fmt::format("killed by signal {}", SIGSEGV), "last words"});
  expect_error([&] { leaving.run("leaves"); }, {"exit code 3", "out of memory"});
  EXPECT_FALSE(leaving.is_alive());
  expect_error([&] { leaving.run("right"); }, {"gone since an earlier failure", "out of memory"});
}

TEST(Peer, SilenceEndsAtTheLimitAndEndsThePeer) {
  const Peer peer = fake();
  const long pid = peer.identity().pid;
  expect_error([&] { peer.run("silent", {}, 50); }, {"no answer within 50 ms", "run silent", "thinking"});
  EXPECT_FALSE(peer.is_alive());
  EXPECT_EQ(::waitpid(pid_t(pid), nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(Peer, IsNotWaitedForOnceAStopIsRequested) {
  const Peer peer = fake();
  request_stop();
  expect_error([&] { peer.run("silent", {}, 3'600'000); }, {"run silent", "a stop was requested"});
  request_stop(false);
  EXPECT_FALSE(peer.is_alive());
}

TEST(Peer, WhatIsNoAnswerEndsThePeer) {
  for (const char* work : {"garbage", "nothing", "unsure", "no_time"}) {
    const Peer peer = fake();
    EXPECT_THROW(peer.run(work), Error) << work;
    EXPECT_FALSE(peer.is_alive()) << work;
  }
  expect_error([] { fake().run("garbage"); }, {"it said 'Traceback (most recent call last):'"});
}

TEST(Peer, AFailedStartIsAnError) {
  expect_error([] { saying("echo ImportError >&2; exit 1"); },
               {"exit code 1", "ImportError", "says who it is"});
  expect_error([] { saying("kill -KILL $$"); }, {fmt::format("signal {}", SIGKILL)});
  expect_error([] { saying("sleep 1000", 50); }, {"no answer within 50 ms"});
  expect_error([] { saying("echo hello"); }, {"it said 'hello'"});
  expect_error([] { saying("echo '{\"version\": \"1\"}'"); }, {"library"});
  expect_error([] { saying("echo '{\"error\": \"no module\"}'"); }, {"no module"});
  expect_error([] { Peer("fake", {"/no/such/program"}, {}); }, {"exit code 127"});
}

TEST(Peer, IsGoneWithItsLastHandle) {
  long pid = 0;
  {
    const Peer peer = fake();
    pid = peer.identity().pid;
    const Peer second = peer;
  }
  EXPECT_EQ(::waitpid(pid_t(pid), nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace perflab
