# What this build is made of, as constants for manifests: compiler, flags, library versions. They come from CMake because only
# CMake knows them all; a generated file, so that a changed flag recompiles one source.
get_directory_property(build_options DIRECTORY ${PROJECT_SOURCE_DIR} COMPILE_OPTIONS)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type_upper)
set(build_flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type_upper}} ${build_options} ${PERFLAB_NATIVE_FLAG}
                ${OpenMP_CXX_FLAGS})
string(REPLACE ";" " " build_flags "${build_flags}")
set(build_lto false)
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  set(build_lto true)
endif()
configure_file(${PROJECT_SOURCE_DIR}/core/bench/build_info.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp @ONLY)
target_sources(perflab_bench PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/build_info.cpp)
