#pragma once
// Python — an interpreter of this machine that has the modules that something needs.
//
// Usually the first of $PERFLAB_PYTHON, python3 on the PATH and /usr/bin/python3 that has them all: the first
// python3 on a PATH is often a version manager's, without the distribution's packages. Looking imports
// nothing, so it takes milliseconds; a module that is there but broken is found out by whoever imports it.
// The caller shows passed_over, so that nobody believes that the interpreter asked for did the work.

#include <string>
#include <utility>
#include <vector>

namespace perflab {

struct Python {
  std::string program;                                        // empty: none found
  std::vector<std::pair<std::string, std::string>> versions;  // python, then the modules that tell theirs
  std::string tried;                                          // "python3, /usr/bin/python3", for messages
  // One sentence if $PERFLAB_PYTHON was among them and is not the one that is used: why, and what is used
  // instead.
  std::string passed_over{};
  std::string version(const std::string& name) const;  // "" if unknown
};

std::vector<std::string> usual_pythons();
Python find_python(const std::vector<std::string>& modules,
                   const std::vector<std::string>& candidates = usual_pythons());

}  // namespace perflab
