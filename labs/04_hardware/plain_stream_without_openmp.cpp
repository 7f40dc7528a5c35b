#include "base/check.h"
#include "plain_stream.h"

namespace perflab::hardware {

bool plain_stream_available() { return false; }

void plain_stream(Pattern, const float*, const float*, float*, std::int64_t, int) {
  fail(ErrorKind::check, "plain stream: this build has no OpenMP; ask plain_stream_available() first");
}

}  // namespace perflab::hardware
