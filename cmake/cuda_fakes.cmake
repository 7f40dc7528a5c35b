# Made-up drivers for the tests of the GPU probe: build/cuda_fakes/NAME/libcuda.so.1, each a folder for LD_LIBRARY_PATH.
foreach(fake good no_device crash hang old mismatch not_cuda)
  add_library(cuda_fake_${fake} MODULE ${PROJECT_SOURCE_DIR}/core/driver/doctor/cuda_fakes/${fake}.cpp)
  set_target_properties(cuda_fake_${fake} PROPERTIES PREFIX "" OUTPUT_NAME libcuda SUFFIX .so.1
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cuda_fakes/${fake})
  add_dependencies(driver_e2e_test cuda_fake_${fake})
endforeach()
