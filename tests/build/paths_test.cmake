# cmake -DSOURCE=... -DSCRATCH=... -P paths_test.cmake: which paths are taken, which are refused, and that a refused one ends the
# configuration at once with its sentence.
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/path_check.cmake)

foreach(good IN ITEMS /home/me/perflab "/a b/ü (1)" "/it's/a&b/c@d/50%/{x}/~y/a+b=c,d:e^!" "/home/me/$x")
  perflab_path_problem("${good}" sign)
  if(NOT sign STREQUAL "")
    message(SEND_ERROR "'${good}' is fine, and '${sign}' was refused in it")
  endif()
endforeach()

function(refused sign)
  perflab_path_problem("/home/me/a${sign}b" found)
  if(NOT found STREQUAL sign)
    message(SEND_ERROR "'${sign}' in a path was taken for '${found}'")
  endif()
endfunction()
foreach(sign IN ITEMS "\"" "#" "[" "]" "*" "?" "<" ">" "|" "\n" "\\" "$(" "\${")
  refused("${sign}")
endforeach()
refused(";")

execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/a\#b RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")
if(code EQUAL 0 OR NOT said MATCHES "perflab: '#' in the path" OR said MATCHES "compiler")
  message(SEND_ERROR "a '#' in the build's path must end the configuration with its sentence and nothing else, not with:\n${said}")
endif()
file(REMOVE_RECURSE "${SCRATCH}/a#b")
