# Language level, warnings, optimisation and sanitizers. Everything a compiler flag decides is decided here.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_compile_options(-Wall -Wextra -Wshadow -Wconversion)
if(PERFLAB_WERROR)
  add_compile_options(-Werror)
endif()

# No contraction: a*b+c rounds twice everywhere, so that interpreter and eager results can be compared bitwise.
add_compile_options(-ffp-contract=off -fno-math-errno)
if(PERFLAB_NATIVE)
  set(PERFLAB_NATIVE_FLAG -march=native)
endif()

if(PERFLAB_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(PERFLAB_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread)
  add_link_options(-fsanitize=thread)
elseif(PERFLAB_SANITIZE)
  message(FATAL_ERROR "PERFLAB_SANITIZE is '${PERFLAB_SANITIZE}'; want empty, address or thread")
endif()

# The sanitizers' extra branches make GCC see uninitialised reads in the standard library that are none.
if(PERFLAB_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-maybe-uninitialized)
endif()

# With ccache, if it is there, a second checkout is built from the first one's objects: paths below the checkout are relative.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  if(NOT DEFINED ENV{CCACHE_BASEDIR} AND NOT PROJECT_SOURCE_DIR MATCHES "\\$")   # ccache expands $name in its value
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} ${CCACHE})
  endif()
endif()
