// The C++ twin of torch_work.py: the same small operations of PyTorch, issued one by one from C++ (libtorch).
//
// The same protocol over stdin and stdout as peer.py, the same work torch_ops with the same settings, inputs
// and checks. What differs between the two answers is the language that issues. It links nothing of perflab,
// so its JSON is printed by hand.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <time.h>
#include <torch/version.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using Settings = std::map<std::string, std::string>;

struct Answer {
  double seconds, per_op_s, checksum;
  bool correct;
};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

std::int64_t positive(const Settings& settings, const std::string& key) {
  const auto found = settings.find(key);
  char* end = nullptr;
  const char* text = found == settings.end() ? "" : found->second.c_str();
  const std::int64_t value = std::strtoll(text, &end, 10);
  if (value < 1 || *end != '\0')
    throw std::invalid_argument(key + " is '" + text + "'; want a number of 1 or more");
  return value;
}

struct Operation {
  std::string op;
  std::int64_t n;
  at::Tensor a, b;
  bool correct;

  at::Tensor operator()() const { return op == "add" ? at::add(a, b) : at::matmul(a, b); }
};

// Small whole numbers: sums and products are exact in float32, the wanted ones are computed in integers.
Operation prepare(const std::string& op, std::int64_t n) {
  const at::Tensor i = at::arange(n, at::kLong);
  Operation it{op, n, i.remainder(7).to(at::kFloat), i.remainder(5).to(at::kFloat), false};
  if (op == "add") {
    it.correct = at::equal(it().to(at::kLong), i.remainder(7) + i.remainder(5));
    return it;
  }
  const auto side = std::int64_t(std::llround(std::sqrt(double(n))));
  if (side * side != n) throw std::invalid_argument("n is not a square, the elements of a square matrix");
  it.a = it.a.reshape({side, side});
  it.b = it.b.reshape({side, side});
  const at::Tensor row = (it.a[side / 2].to(at::kLong).unsqueeze(1) * it.b.to(at::kLong)).sum(0);
  it.correct = at::equal(it()[side / 2].to(at::kLong), row);
  return it;
}

Answer torch_ops(const Settings& settings) {
  static std::map<std::pair<std::string, std::int64_t>, Operation> known;
  const std::int64_t n = positive(settings, "n"), count = positive(settings, "count");
  const std::string op = settings.count("op") ? settings.at("op") : "";
  if (op != "add" && op != "matmul") throw std::invalid_argument("op is '" + op + "'; want add or matmul");
  auto found = known.find({op, n});
  if (found == known.end()) found = known.emplace(std::pair(op, n), prepare(op, n)).first;
  // Not through operator(): its comparison of names is no part of an operation.
  const at::Tensor &a = found->second.a, &b = found->second.b;
  at::Tensor result = found->second();  // written again and again: a new one each time would time allocators
  const auto start = std::chrono::steady_clock::now();
  if (op == "add")
    for (std::int64_t i = 0; i < count; ++i) at::add_out(result, a, b);
  else
    for (std::int64_t i = 0; i < count; ++i) at::matmul_out(result, a, b);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {seconds, seconds / double(count), result.to(at::kDouble).sum().item<double>(),
          found->second.correct};
}

std::string answer_to(const std::string& line) {
  try {
    std::istringstream words(line);
    std::string run, work, word;
    words >> run >> work;
    if (run != "run" || work != "torch_ops")
      throw std::invalid_argument("request '" + line + "'; want: run torch_ops key=value ...");
    Settings settings;
    while (words >> word) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) throw std::invalid_argument("setting '" + word + "'; want key=value");
      settings[word.substr(0, equals)] = word.substr(equals + 1);
    }
    const Answer answer = torch_ops(settings);
    char text[256];
    std::snprintf(
        text, sizeof text,
        "{\"seconds\": %.9g, \"correct\": %s, \"numbers\": {\"per_op_s\": %.9g, \"checksum\": %.17g}}",
        answer.seconds, answer.correct ? "true" : "false", answer.per_op_s, answer.checksum);
    return text;
  } catch (const std::exception& error) {
    const std::string text = error.what();  // PyTorch adds a stack trace on lines of its own
    return "{\"error\": " + quoted(text.substr(0, text.find('\n'))) + "}";
  }
}

std::int64_t cpu_ns() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// As in peer.py: idle threads of a pool spin for a while, and would disturb whoever is measured next.
void settle() {
  constexpr std::int64_t slice_ns = 2'000'000;
  for (int slice = 0, quiet = 0; slice < 150 && quiet < 2; ++slice) {
    const std::int64_t before_ns = cpu_ns();
    std::this_thread::sleep_for(std::chrono::nanoseconds(slice_ns));
    quiet = cpu_ns() - before_ns < slice_ns / 10 ? quiet + 1 : 0;
  }
}

// The loaded BLAS is asked, if it is one that can be.
std::string blas() {
  using Threads = int (*)();
  using Config = char* (*)();
  const auto threads = reinterpret_cast<Threads>(::dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
  const auto config = reinterpret_cast<Config>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (threads == nullptr || config == nullptr) return "";
  std::istringstream words(config());
  std::string name, version;
  words >> name >> version;
  return ", \"blas\": " + quoted(name + " " + version) + ", \"blas_threads\": " + std::to_string(threads());
}

}  // namespace

int main() {
  std::cout << "{\"library\": \"PyTorch\", \"version\": " << quoted(TORCH_VERSION)
            << ", \"threads\": " << at::get_num_threads() << blas()
            << ", \"runtime\": \"C++\", \"pid\": " << ::getpid() << "}" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string answer = answer_to(line);
    settle();
    std::cout << answer << std::endl;
  }
}
