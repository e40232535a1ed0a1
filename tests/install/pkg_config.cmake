# Compiles an example with the options that pkg-config prints for the installed library, and runs it.
cmake_minimum_required(VERSION 3.25)

set(ENV{PKG_CONFIG_PATH} ${PREFIX}/${LIBDIR}/pkgconfig:$ENV{PKG_CONFIG_PATH})
set(ENV{LD_LIBRARY_PATH} ${PREFIX}/${LIBDIR}:$ENV{LD_LIBRARY_PATH})
execute_process(COMMAND ${PKG_CONFIG} --cflags --libs alnus
                OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(words UNIX_COMMAND "${words}")
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")

file(MAKE_DIRECTORY ${FOLDER})
get_filename_component(name ${SOURCE} NAME_WE)
get_filename_component(examples ${SOURCE} DIRECTORY)
execute_process(COMMAND ${COMPILER} -std=c++20 ${FLAGS} ${SOURCE} -o ${FOLDER}/${name} ${words}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -DSOURCE=${SOURCE} -DPROGRAM=${FOLDER}/${name} -DFOLDER=${FOLDER}/${name}.run
                        -P ${examples}/check.cmake
                COMMAND_ERROR_IS_FATAL ANY)
