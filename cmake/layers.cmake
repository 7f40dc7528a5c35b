# perflab_layer(NAME LIBRARIES...): the folder core/NAME becomes the library perflab_NAME, its *_test.cpp files the test
# program NAME_test (ctest label unit). A new source file is found without an edit. Parts of a layer that are rooms of their
# own, one folder deeper: ops/cpu, driver/doctor.
function(perflab_layer name)
  set(folder ${PROJECT_SOURCE_DIR}/core/${name})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp ${folder}/cpu/*.cpp ${folder}/doctor/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/main|/team_(openmp|threads))\\.cpp$")
  add_library(perflab_${name} STATIC ${sources})
  target_include_directories(perflab_${name} PUBLIC ${PROJECT_SOURCE_DIR}/core)
  target_compile_options(perflab_${name} PRIVATE ${PERFLAB_NATIVE_FLAG})
  target_link_libraries(perflab_${name} PUBLIC ${ARGN})
  perflab_tests(${name}_test ${folder} unit perflab_${name})
endfunction()

add_custom_target(unit_tests)

# perflab_tests(TARGET FOLDER LABEL LIBRARIES...): all *_test.cpp of FOLDER and of its parts in one program, one ctest entry per
# TEST. More properties come from PERFLAB_TEST_PROPERTIES.
function(perflab_tests target folder label)
  file(GLOB tests CONFIGURE_DEPENDS ${folder}/*_test.cpp ${folder}/cpu/*_test.cpp ${folder}/doctor/*_test.cpp)
  if(NOT tests)
    return()
  endif()
  add_executable(${target} ${tests} ${PROJECT_SOURCE_DIR}/tests/main.cpp)
  if(NOT "perflab_base" IN_LIST ARGN)   # base knows no devices; all other programs own a Runtime
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/runtime_environment.cpp)
  endif()
  # A test's own code is not what is measured: -O1 compiles it in two thirds of the time.
  target_compile_options(${target} PRIVATE ${PERFLAB_NATIVE_FLAG} $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${target} PRIVATE PERFLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                               PERFLAB_BINARY_DIR="${PROJECT_BINARY_DIR}")
  target_link_libraries(${target} PRIVATE ${ARGN} GTest::gtest)
  if(label STREQUAL "unit")   # what the sanitizers run, and need not build more than
    add_dependencies(unit_tests ${target})
  endif()
  include(GoogleTest)
  gtest_discover_tests(${target} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${label} TIMEOUT 240
                       ${PERFLAB_TEST_PROPERTIES})
endfunction()
