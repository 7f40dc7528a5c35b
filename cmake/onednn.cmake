# oneDNN by its files: the CMake package of Debian 12 asks for OpenCL headers that nothing here needs.
find_path(PERFLAB_ONEDNN_INCLUDE dnnl.h REQUIRED)
find_library(PERFLAB_ONEDNN_LIBRARY dnnl REQUIRED)
mark_as_advanced(PERFLAB_ONEDNN_INCLUDE PERFLAB_ONEDNN_LIBRARY)
add_library(perflab_onednn INTERFACE)
target_include_directories(perflab_onednn SYSTEM INTERFACE ${PERFLAB_ONEDNN_INCLUDE})
target_link_libraries(perflab_onednn INTERFACE ${PERFLAB_ONEDNN_LIBRARY})
