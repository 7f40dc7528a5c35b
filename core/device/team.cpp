#include "device/team.h"

#include <algorithm>

#include "base/check.h"

namespace perflab {

Range share(std::int64_t count, int member, int members, std::int64_t grain) {
  PL_CHECK(count >= 0 && members >= 1 && member >= 0 && member < members && grain >= 1,
           "share: member {} of {}, count {}, grain {}; want 0 <= member < members, count >= 0, grain >= 1",
           member, members, count, grain);
  const std::int64_t grains = count / grain;
  const auto edge = [&](int index) { return index == members ? count : grains * index / members * grain; };
  return {edge(member), edge(member + 1)};
}

void rethrow_first(std::vector<std::exception_ptr>& errors) {
  const auto first =
      std::find_if(errors.begin(), errors.end(), [](const auto& error) { return error != nullptr; });
  if (first == errors.end()) return;
  const std::exception_ptr error = *first;
  std::fill(errors.begin(), errors.end(), nullptr);
  std::rethrow_exception(error);
}

}  // namespace perflab
