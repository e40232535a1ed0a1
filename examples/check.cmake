# Runs an example as the comment at its top shows, and compares what it writes to standard output with that comment:
# a line "//   $ NAME ARGUMENTS" is a command, the lines below it are its output. Tabs count as blanks.
# cmake -DSOURCE=example.cpp -DPROGRAM=... -DFOLDER=... -P check.cmake; FOLDER is made anew, and the example runs there.
cmake_minimum_required(VERSION 3.25)

get_filename_component(examples ${SOURCE} DIRECTORY)
get_filename_component(name ${SOURCE} NAME_WE)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
file(CREATE_LINK ${examples}/data ${FOLDER}/data SYMBOLIC)

set(command "")
set(expected "")
set(commands 0)

macro(run_command)
  if(command)
    execute_process(COMMAND ${PROGRAM} ${command} WORKING_DIRECTORY ${FOLDER}
                    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE result)
    string(REPLACE "\t" " " output "${output}")
    string(REGEX REPLACE " +\n" "\n" output "${output}")
    if(NOT result EQUAL 0 OR NOT output STREQUAL expected)
      message(FATAL_ERROR "${name} ended with ${result}. Its output:\n${output}Expected:\n${expected}Errors:\n${errors}")
    endif()
    math(EXPR commands "${commands} + 1")
  endif()
endmacro()

file(STRINGS ${SOURCE} lines REGEX "^//   ")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^//   " "" line "${line}")
  if(line MATCHES "^\\$ ${name} (.*)")
    string(REPLACE " " ";" arguments "${CMAKE_MATCH_1}")
    run_command()
    set(command ${arguments})
    set(expected "")
  else()
    string(APPEND expected "${line}\n")
  endif()
endforeach()
run_command()
if(commands EQUAL 0)
  message(FATAL_ERROR "The comment at the top of ${SOURCE} shows no command.")
endif()
