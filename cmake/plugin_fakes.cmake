# Small shared objects for the tests of core/device/plugin.cpp: good ones and bad ones. They find core's symbols in the
# program that loads them, which therefore exports its own.
foreach(fake good no_devices no_symbol other_version other_layout)
  add_library(plugin_fake_${fake} MODULE ${PROJECT_SOURCE_DIR}/core/device/plugin_fakes/${fake}.cpp)
  target_include_directories(plugin_fake_${fake} PRIVATE ${PROJECT_SOURCE_DIR}/core)
  target_compile_options(plugin_fake_${fake} PRIVATE ${PERFLAB_NATIVE_FLAG})
  set_target_properties(plugin_fake_${fake} PROPERTIES PREFIX "" OUTPUT_NAME ${fake}
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugin_fakes)
  add_dependencies(device_test plugin_fake_${fake})
endforeach()
set_target_properties(device_test PROPERTIES ENABLE_EXPORTS ON)
