#include "base/process_stat.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace perflab {
namespace {

// The fields after the name; the name, field 2, may hold blanks and parentheses, so the last one ends it.
// Numbers of fields are those of proc(5): 3 state, 4 parent, 14 user, 15 system, 16 and 17 the same of
// children, 22 start.
constexpr std::size_t first_field = 3, last_field = 22;
using Fields = std::array<std::int64_t, last_field + 1>;

std::optional<Fields> fields_of(const std::string& text, char& state) {
  std::size_t at = text.rfind(')');
  if (at == std::string::npos || at + 2 >= text.size()) return std::nullopt;
  at += 2;
  state = text[at];
  Fields fields{};
  for (std::size_t field = first_field + 1; field <= last_field; ++field) {
    at = text.find(' ', at);
    if (at == std::string::npos) return std::nullopt;
    ++at;
    if (std::from_chars(text.data() + at, text.data() + text.size(), fields[field]).ec != std::errc())
      return std::nullopt;
  }
  return fields;
}

}  // namespace

std::optional<ProcessStat> read_process_stat(long pid, const std::filesystem::path& proc) {
  std::ifstream file(proc / std::to_string(pid) / "stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  char state = '?';
  const std::optional<Fields> fields = fields_of(text, state);
  if (!fields) return std::nullopt;
  static const std::int64_t tick_ns = 1'000'000'000 / sysconf(_SC_CLK_TCK);
  const Fields& f = *fields;
  return ProcessStat{.pid = pid,
                     .parent = long(f[4]),
                     .state = state,
                     .start_ticks = long(f[22]),
                     .cpu_ns = (f[14] + f[15]) * tick_ns,
                     .reaped_ns = (f[16] + f[17]) * tick_ns};
}

std::int64_t descendants_cpu_ns(long pid, const std::filesystem::path& proc) {
  std::vector<ProcessStat> all;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(proc, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    long number = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), number).ptr != name.data() + name.size())
      continue;
    if (const std::optional<ProcessStat> stat = read_process_stat(number, proc)) all.push_back(*stat);
  }
  std::int64_t total_ns = 0;
  std::vector<long> family = {pid};
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const ProcessStat& one : all) {
      if (one.pid == family[i]) total_ns += one.reaped_ns + (i == 0 ? 0 : one.cpu_ns);
      if (one.parent == family[i] && std::find(family.begin(), family.end(), one.pid) == family.end())
        family.push_back(one.pid);
    }
  return total_ns;
}

}  // namespace perflab
