#include "base/failure.h"

#include <cstdio>
#include <new>
#include <string>
#include <system_error>

#include "base/check.h"
#include "base/printable.h"

namespace perflab {
namespace {

// No {fmt}: there may be no memory left for a long text.
void print(std::string_view who, const char* what, const char* more = "") noexcept {
  std::fprintf(stderr, "%.*s: %s%s\n", int(who.size()), who.data(), what, more);
}

}  // namespace

int explain_failure(std::string_view who) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    print(who, printable(error.what(), "\t\n").c_str());
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    print(who, "there is not enough memory; free some, or raise the limit (ulimit -v)");
    return exit_codes::environment;
  } catch (const std::system_error& error) {
    const bool no_thread = error.code() == std::errc::resource_unavailable_try_again;
    print(who,
          no_thread ? "no thread can be started; raise the limits (ulimit -u, ulimit -v): " : "unexpected: ",
          error.what());
    return no_thread ? exit_codes::environment : exit_codes::wrong;
  } catch (const std::exception& error) {
    print(who, "unexpected: ", error.what());
  } catch (...) {
    print(who, "unexpected failure");
  }
  return exit_codes::wrong;
}

}  // namespace perflab
