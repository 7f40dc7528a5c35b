# perflab_find_python(VARIABLE MODULE...): the cache entry VARIABLE becomes a python3 that has the modules: the one that the user
# or an earlier search chose, else the first on PATH (which may lack the distribution's packages), else the system's own. Without
# one, the tests that ask for it are skipped.
function(perflab_find_python variable)
  list(JOIN ARGN ", " modules)
  set(${variable} "" CACHE FILEPATH "python3 with ${modules}; empty: looked for")
  foreach(candidate IN ITEMS "${PERFLAB_PYTHON}" "${Python3_EXECUTABLE}" /usr/bin/python3)
    if(NOT ${variable} AND candidate AND EXISTS "${candidate}")
      execute_process(COMMAND "${candidate}" -c "import ${modules}" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
      if(missing EQUAL 0)
        set_property(CACHE ${variable} PROPERTY VALUE "${candidate}")
      endif()
    endif()
  endforeach()
endfunction()

# perflab_module_test(NAME LABEL PYTHON FOLDER MODULE NEEDED...): one unittest module as a test; tests/run_module.py says when it is
# skipped.
function(perflab_module_test name label python folder module)
  add_test(NAME ${name} COMMAND ${python} -B ${PROJECT_SOURCE_DIR}/tests/run_module.py ${folder} ${module} ${ARGN}
           WORKING_DIRECTORY ${folder})
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 240 SKIP_RETURN_CODE 77
                       ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1")
endfunction()
