# cmake -DPROGRAM=LAB -DOUTPUT=FILE -P describe.cmake: what a lab says of itself, kept beside it so that `perflab list` starts
# no lab. Written whole or not at all.
execute_process(COMMAND ${PROGRAM} --describe OUTPUT_FILE ${OUTPUT}.part RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} --describe ended with ${result}")
endif()
file(RENAME ${OUTPUT}.part ${OUTPUT})
