# Compiles every example with the options that pkg-config prints for the installed library, and runs it.
cmake_minimum_required(VERSION 3.25)

set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
set(ENV{LD_LIBRARY_PATH} ${PREFIX}/${LIBDIR}:$ENV{LD_LIBRARY_PATH})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs alnus
                OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(words UNIX_COMMAND "${words}")
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")

file(MAKE_DIRECTORY ${FOLDER})
file(GLOB sources ${EXAMPLES}/*.cpp)
if(NOT sources)
  message(FATAL_ERROR "There are no examples in ${EXAMPLES}.")
endif()
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  execute_process(COMMAND ${COMPILER} -std=c++20 ${FLAGS} ${source} -o ${FOLDER}/${name} ${words}
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${source} -DPROGRAM=${FOLDER}/${name}
                          -DFOLDER=${FOLDER}/${name}.run -P ${EXAMPLES}/check.cmake
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
