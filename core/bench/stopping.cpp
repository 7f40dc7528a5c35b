#include "bench/stopping.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace perflab {
namespace {

constexpr std::array looks = {10, 15, 20, 30, 40, 60, 80, 100};

// The half width shrank by less than 10 % since the last look at half as many blocks or fewer.
bool stabilised(const StopInput& input) {
  const std::pair<int, double>* then = nullptr;
  for (const auto& look : input.history)
    if (2 * look.first <= input.blocks && (!then || look.first > then->first)) then = &look;
  return then && std::isfinite(then->second) && input.half_width > 0.9 * then->second;
}

}  // namespace

bool is_look(int blocks) { return std::find(looks.begin(), looks.end(), blocks) != looks.end(); }

std::string stop_reason(const Profile& profile, const StopInput& input) {
  const bool fixed = profile.target_half_width == 0;
  const bool lab_spent = profile.lab_cap_ns > 0 && input.lab_elapsed_ns >= profile.lab_cap_ns;
  const bool invalid = 10 * input.invalid > input.taken;
  if (fixed && input.blocks >= profile.max_blocks) return invalid ? "too_many_invalid" : "fixed";

  const bool look = is_look(input.blocks) && !fixed;
  if (look && input.blocks >= profile.min_blocks && std::isfinite(input.half_width)) {
    if (input.half_width <= profile.target_half_width) return "precision";
    if (stabilised(input)) return "stabilised";
  }
  if (lab_spent && input.blocks >= fewest_blocks) return "time_cap";
  if (look && profile.case_cap_ns > 0 && input.elapsed_ns >= profile.case_cap_ns) return "time_cap";
  if (input.blocks >= profile.max_blocks) return "max_n";
  if (look && invalid) return "too_many_invalid";
  return "";
}

}  // namespace perflab
