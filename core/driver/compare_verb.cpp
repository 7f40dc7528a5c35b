#include "base/check.h"
#include "driver/verbs.h"

namespace perflab {

int compare_verb(const Options&) { fail(ErrorKind::usage, "not there yet"); }

}  // namespace perflab
