#include "driver/doctor/gpu_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/check.h"
#include "base/child_process.h"
#include "base/clock.h"

namespace perflab {
namespace {

std::vector<std::string> words_of_line(const std::string& line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t end = std::min(line.find('\t', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

template <typename T = int>
T number(const std::string& text) {
  T value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct Heard {
  GpuProbe probe{};
  std::string step = "starting";
  bool answered = false;  // a state is known; what follows only adds to it
};

void take(const std::vector<std::string>& words, Heard& heard) {
  using State = GpuProbe::State;
  GpuProbe& probe = heard.probe;
  const std::string& what = words.front();
  const std::string first = words.size() > 1 ? words[1] : "";
  const auto settle = [&](State state, const std::string& detail) {
    probe.state = state;
    probe.detail = detail;
    heard.answered = true;
  };
  if (what == "step") heard.step = first;
  else if (what == "searched") probe.searched.push_back(first);
  else if (what == "no_library")
    // A file that is there and does not load is another thing to mend than one that is not.
    settle(first.find("cannot open shared object file") == std::string::npos ? State::broken_library
                                                                             : State::no_library,
           first);
  else if (what == "broken_library") settle(State::broken_library, first);
  else if (what == "cuda") probe.cuda_version = number(first);
  else if (what == "driver") probe.driver_version = first;
  else if (what == "init") {
    const int code = number(first);
    constexpr int insufficient_driver = 35, no_device = 100;
    settle(code == 0                     ? State::good
           : code == no_device           ? State::no_device
           : code == insufficient_driver ? State::driver_too_old
                                         : State::error,
           code == 0 ? "" : fmt::format("{} ({})", cuda_error_name(code), code));
  } else if (what == "device" && words.size() == 4)
    probe.devices.push_back({words[1], number<std::int64_t>(words[2]), words[3]});
}

}  // namespace

GpuProbe probe_gpu(const std::filesystem::path& program, const Variables& variables, int limit_ms) {
  ChildProcess child({program.string(), gpu_probe_flag}, environment_with(variables));
  const std::int64_t deadline_ns = steady_clock().now_ns() + std::int64_t(limit_ms) * 1'000'000;
  Heard heard;
  ChildProcess::Heard how = ChildProcess::Heard::line;
  for (std::string line;;) {
    const std::int64_t left_ms = (deadline_ns - steady_clock().now_ns()) / 1'000'000;
    how = child.hear(int(std::max<std::int64_t>(left_ms, 0)), line);
    if (how != ChildProcess::Heard::line) break;
    take(words_of_line(line), heard);
  }
  const bool hung = how == ChildProcess::Heard::silence;
  child.stop(hung ? 0 : 300);
  GpuProbe& probe = heard.probe;
  if (hung && (!heard.answered || (probe.state == GpuProbe::State::good && probe.devices.empty()))) {
    probe.state = GpuProbe::State::hung;
    probe.detail = fmt::format("no answer within {} s in {}", double(limit_ms) / 1000, heard.step);
  } else if (child.signal() != 0) {
    probe.state = GpuProbe::State::crashed;
    probe.detail =
        fmt::format("{} (signal {}) in {}", ::strsignal(child.signal()), child.signal(), heard.step);
  } else if (!heard.answered) {
    probe.state = GpuProbe::State::error;
    probe.detail = fmt::format("the probe {} in {}", child.ending(), heard.step);
  } else if (probe.state == GpuProbe::State::good && probe.devices.empty()) {
    probe.state = GpuProbe::State::no_device;
  }
  return probe;
}

}  // namespace perflab
