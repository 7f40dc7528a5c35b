# Paths that a tool in the chain cannot cope with stop the configuration with one sentence. Spaces, quotes, parentheses, letters
# outside ASCII and most signs work; these do not: CMake's lists end at ';' and its globs read '[', '*' and '?', definitions on a
# command line may hold neither '"' nor '#', CMake takes "$(", "${", '<' and '>' for its own, ninja's files '|' and line ends.

# perflab_path_problem(PATH VARIABLE): the sign that is in the way, or "".
function(perflab_path_problem path result)
  string(REGEX MATCH "[][\"#*?;<>|\n\\\\]|\\$[({]" sign "${path}")
  set(${result} "${sign}" PARENT_SCOPE)
endfunction()

# Before project(), whose compiler tests would fail first and in many words.
function(perflab_check_paths)
  foreach(kind IN ITEMS SOURCE BINARY)
    perflab_path_problem("${CMAKE_${kind}_DIR}" sign)
    if(NOT sign STREQUAL "")
      message(FATAL_ERROR "perflab: '${sign}' in the path '${CMAKE_${kind}_DIR}' is more than CMake or ninja can cope with; "
                          "move perflab to a folder without it (spaces and other letters are fine)")
    endif()
  endforeach()
endfunction()
