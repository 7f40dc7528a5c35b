#include "base/cpu_guard.h"

#include <gtest/gtest.h>

#include "base/simd.h"

namespace perflab {

TEST(CpuGuard, PassesOnTheMachineThatBuiltIt) { EXPECT_TRUE(cpu_guard_passed()); }

TEST(CpuGuard, NamesWhatIsMissingAndWhatToDo) {
  const std::string text = missing_features_text(feature_avx2 | feature_avx512f, feature_avx2);
  EXPECT_NE(text.find("a CPU with avx512f, which"), std::string::npos) << text;
  EXPECT_NE(text.find("PERFLAB_NATIVE=OFF"), std::string::npos) << text;
  EXPECT_EQ(missing_features_text(feature_avx2, feature_avx2 | feature_fma), "");
}

}  // namespace perflab
