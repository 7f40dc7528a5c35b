#include "bench/peer.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/child_process.h"
#include "base/stop.h"
#include "bench/case.h"

namespace perflab {
namespace {

// A peer's threads are what its lab says, not what somebody set for us.
const std::vector<std::string> thread_settings = {"OMP_", "GOMP_", "KMP_",  "OPENBLAS_",
                                                  "MKL_", "GOTO_", "BLIS_", "VECLIB_"};

std::string shortened(const std::string& line) {
  constexpr std::size_t most = 200;
  return line.size() <= most ? line : line.substr(0, most) + " ...";
}

std::string request_line(std::string_view work, const PeerSettings& settings) {
  std::string line = fmt::format("run {}", work);
  for (const auto& [key, value] : settings) line += fmt::format(" {}={}", key, value);
  const auto blanks = std::count_if(line.begin(), line.end(), [](char c) { return c == ' '; });
  PL_CHECK(!work.empty() && line.find_first_of("\n\r\t") == std::string::npos &&
               blanks == std::ptrdiff_t(settings.size()) + 1,
           "peer: the request '{}' has blanks in it; want a work and key=value words without any", line);
  return line;
}

PeerIdentity identity_from(const Json& hello, std::string kind) {
  PeerIdentity identity;
  identity.kind = std::move(kind);
  identity.library = hello.at("library").text();
  identity.version = hello.at("version").text();
  identity.blas = hello.text_or("blas", "");
  identity.threads = int(hello.at("threads").number());
  if (const Json* threads = hello.find("blas_threads")) identity.blas_threads = int(threads->number());
  identity.runtime = hello.text_or("runtime", "");
  identity.pid = long(hello.at("pid").number());
  return identity;
}

PeerAnswer answer_from(const Json& json) {
  PeerAnswer answer;
  answer.seconds = json.at("seconds").number();
  if (!(answer.seconds > 0) || !std::isfinite(answer.seconds))
    fail(ErrorKind::data, "it measured {} seconds; want more than none", answer.seconds);
  if (const Json* numbers = json.find("numbers"))
    for (const auto& [name, value] : numbers->object()) answer.numbers[name] = value.number();
  return answer;
}

}  // namespace

struct Peer::Life {
  Life(std::string kind, const std::vector<std::string>& argv, const Variables& variables)
      : child(argv, environment_with(variables, thread_settings)) {
    identity.kind = std::move(kind);
  }

  [[noreturn]] void give_up(const std::string& what, const std::string& wanted) {
    child.stop();
    const std::string words = child.last_words();
    fail(ErrorKind::environment, "peer {}: {}; want {}{}{}", identity.kind, what, wanted,
         words.empty() ? "" : "; its last words were:\n", words);
  }

  // Its next line as JSON; anything else is the end of it.
  Json hear(int limit_ms, const std::string& wanted) {
    std::string line;
    switch (child.hear(limit_ms, line)) {
      case ChildProcess::Heard::silence:
        give_up(stop_requested() ? "it was not waited for any longer, because a stop was requested"
                                 : fmt::format("no answer within {} ms", limit_ms),
                wanted);
      case ChildProcess::Heard::end:
        child.stop();
        give_up("it " + child.ending(), wanted);
      case ChildProcess::Heard::line:
        break;
    }
    try {
      return Json::parse(line, "answer");
    } catch (const Error&) {
      give_up(fmt::format("it said '{}'", shortened(line)), wanted);
    }
  }

  ChildProcess child;
  PeerIdentity identity;
};

std::string PeerIdentity::subject() const { return fmt::format("framework:{}-{}", library, version); }

std::string PeerIdentity::label() const {
  std::string text = library + " " + version;
  if (!blas.empty()) text += ", " + blas;
  text += fmt::format(", {} {}", threads, threads == 1 ? "thread" : "threads");
  // Two pools that differ: what one of them is given, the other one lacks.
  if (blas_threads > 0 && blas_threads != threads) text += fmt::format(" ({} in its BLAS)", blas_threads);
  return text;
}

Json PeerIdentity::json() const {
  return Json::Object{{"kind", kind},       {"library", library},
                      {"version", version}, {"blas", blas.empty() ? Json() : Json(blas)},
                      {"threads", threads}, {"blas_threads", blas_threads > 0 ? Json(blas_threads) : Json()},
                      {"runtime", runtime}};
}

double PeerAnswer::number(std::string_view name) const {
  const auto found = numbers.find(name);
  if (found != numbers.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [known, value] : numbers) names.push_back(known);
  fail(ErrorKind::data, "peer: its answer has no number '{}'; it has: {}", name, fmt::join(names, ", "));
}

Peer::Peer(std::string kind, const std::vector<std::string>& argv, const Variables& variables,
           int start_limit_ms)
    : life_(std::make_shared<Life>(std::move(kind), argv, variables)) {
  const std::string wanted = "a line that says who it is";
  const Json hello = life_->hear(start_limit_ms, wanted);
  if (const std::string error = hello.text_or("error", ""); !error.empty()) life_->give_up(error, wanted);
  try {
    life_->identity = identity_from(hello, life_->identity.kind);
  } catch (const Error& error) {
    life_->give_up(error.what(), wanted);
  }
}

const PeerIdentity& Peer::identity() const { return life_->identity; }

bool Peer::is_alive() const { return !life_->child.is_stopped(); }

PeerAnswer Peer::run(std::string_view work, const PeerSettings& settings, int limit_ms) const {
  const std::string request = request_line(work, settings),
                    wanted = fmt::format("an answer to '{}'", request);
  if (!is_alive()) life_->give_up("it is gone since an earlier failure", wanted);
  // Nobody reads it: the answer says why.
  life_->child.say(request);
  const Json json = life_->hear(limit_ms, wanted);
  if (const std::string error = json.text_or("error", ""); !error.empty())
    fail(ErrorKind::environment, "peer {}: '{}' failed: {}", life_->identity.kind, request, error);
  PeerAnswer answer;
  bool correct = false;
  try {
    correct = json.at("correct").boolean();
    answer = answer_from(json);
  } catch (const Error& error) {
    life_->give_up(error.what(), wanted);
  }
  if (!correct)
    throw WrongResult(
        fmt::format("peer {}: '{}' says that its result is wrong", life_->identity.kind, request));
  return answer;
}

}  // namespace perflab
