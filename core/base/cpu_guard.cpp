// Compiled for the plainest CPU of the architecture: it must run where the rest cannot.
#include "base/cpu_guard.h"

#include <unistd.h>

#include <cstdio>

#include "base/check.h"
#include "base/simd.h"

namespace perflab {
extern const std::uint32_t required_cpu_features;
namespace {

struct Row {
  std::uint32_t bit;
  const char* name;
};
constexpr Row rows[] = {{feature_avx, "avx"},           {feature_avx2, "avx2"},
                        {feature_fma, "fma"},           {feature_avx512f, "avx512f"},
                        {feature_bmi2, "bmi2"},         {feature_avx512bw, "avx512bw"},
                        {feature_avx512vl, "avx512vl"}, {feature_avx512vbmi, "avx512vbmi"},
                        {feature_f16c, "f16c"}};

}  // namespace

std::string missing_features_text(std::uint32_t required, std::uint32_t available) {
  std::string missing;
  for (const Row& row : rows)
    if ((required & row.bit) != 0 && (available & row.bit) == 0)
      missing += std::string(missing.empty() ? "" : ", ") + row.name;
  if (missing.empty()) return "";
  return "perflab: this program was built for a CPU with " + missing +
         ", which this CPU lacks; build it here (./perflab clean, then ./perflab build), or with "
         "-DPERFLAB_NATIVE=OFF";
}

bool cpu_guard_passed() { return missing_features_text(required_cpu_features, detected_features()).empty(); }

namespace {

[[gnu::constructor(101)]] void guard() {
  const std::string text = missing_features_text(required_cpu_features, detected_features());
  if (text.empty()) return;
  std::fputs((text + "\n").c_str(), stderr);
  _exit(exit_codes::environment);
}

}  // namespace
}  // namespace perflab
