#include "base/check.h"

namespace perflab {

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::check:
      return exit_codes::wrong;
    case ErrorKind::usage:
      return exit_codes::usage;
    case ErrorKind::data:
      return exit_codes::data;
    case ErrorKind::io:
      return exit_codes::io;
    case ErrorKind::environment:
      return exit_codes::environment;
    case ErrorKind::distributed:
      return exit_codes::distributed;
    case ErrorKind::interrupted:
      return exit_codes::interrupted;
  }
  return exit_codes::wrong;
}

}  // namespace perflab
