# Compiles SOURCE with COMPILER and FLAGS. If the first line of SOURCE is "// error: REGEX", SOURCE must not compile,
# and the compiler's first error must match REGEX. Otherwise it must compile. Run by ctest: cmake -P.
cmake_minimum_required(VERSION 3.25)

set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILER} ${FLAGS} -fsyntax-only ${SOURCE}
                RESULT_VARIABLE result OUTPUT_VARIABLE message ERROR_VARIABLE message)
file(STRINGS ${SOURCE} first_line LIMIT_COUNT 1)
if(NOT first_line MATCHES "^// error: (.*)$")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "It must compile:\n${message}")
  endif()
  return()
endif()
set(expected "${CMAKE_MATCH_1}")
if(result EQUAL 0)
  message(FATAL_ERROR "It must not compile.")
endif()
string(REGEX MATCH "error: [^\n]*" error "${message}")
if(NOT error MATCHES "${expected}")
  message(FATAL_ERROR "Its first error must match '${expected}':\n${message}")
endif()
