#include "base/check.h"
#include "driver/verbs.h"

namespace perflab {

int import_verb(const Options&) { fail(ErrorKind::usage, "not there yet"); }

}  // namespace perflab
