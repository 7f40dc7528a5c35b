#include "base/python.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "base/process.h"

namespace perflab {
namespace {

constexpr const char* question = R"(
import importlib.util, sys
names = sys.argv[1:]
if any(importlib.util.find_spec(name) is None for name in names):
    sys.exit(1)
print(sys.executable)
print("python", sys.version.split()[0])
from importlib.metadata import version
for name in names:
    try:
        print(name, version(name))
    except Exception:
        pass
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string why_not(const Captured& answer, const std::vector<std::string>& modules) {
  if (answer.exit_code == 127) return "cannot be started";
  if (answer.exit_code == -1) return "gave no answer in time or was killed";
  if (answer.exit_code == 1) return fmt::format("has not all of {}", fmt::join(modules, ", "));
  return answer.ok ? "does not answer as Python does"
                   : fmt::format("ended with exit code {}", answer.exit_code);
}

std::string wanted_python() {
  const char* wanted = std::getenv("PERFLAB_PYTHON");
  return wanted == nullptr ? "" : wanted;
}

}  // namespace

std::string Python::version(const std::string& name) const {
  for (const auto& [known, text] : versions)
    if (known == name) return text;
  return "";
}

std::vector<std::string> usual_pythons() {
  std::vector<std::string> pythons;
  if (const std::string wanted = wanted_python(); !wanted.empty()) pythons.push_back(wanted);
  pythons.insert(pythons.end(), {"python3", "/usr/bin/python3"});
  return pythons;
}

Python find_python(const std::vector<std::string>& modules, const std::vector<std::string>& candidates) {
  Python python;
  std::string refused;  // why $PERFLAB_PYTHON is not used
  for (const std::string& candidate : candidates) {
    python.tried += (python.tried.empty() ? "" : ", ") + candidate;
    std::vector<std::string> command = {candidate, "-c", question};
    command.insert(command.end(), modules.begin(), modules.end());
    const Captured answer = capture(command);
    const std::vector<std::string> lines = lines_of(answer.output);
    if (!answer.ok || lines.empty() || lines.front().empty()) {
      if (candidate == wanted_python()) refused = why_not(answer, modules);
      continue;
    }
    python.program = lines.front();
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const std::size_t blank = lines[i].find(' ');
      if (blank != std::string::npos)
        python.versions.emplace_back(lines[i].substr(0, blank), lines[i].substr(blank + 1));
    }
    break;
  }
  if (!refused.empty())
    python.passed_over = fmt::format(
        "PERFLAB_PYTHON is '{}', which {}; {}", wanted_python(), refused,
        python.program.empty() ? "no other python3 can stand in" : python.program + " is used instead");
  return python;
}

}  // namespace perflab
