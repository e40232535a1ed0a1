# Checks that the library neither reads nor changes environment variables, because another thread of a program may
# change them at any time. Only src/cli reads them. Run by ctest: cmake -P.
cmake_minimum_required(VERSION 3.25)

foreach(layer core stats io cpu cuda engine api)
  file(GLOB_RECURSE sources ${SOURCE_DIR}/src/${layer}/*.h ${SOURCE_DIR}/src/${layer}/*.cpp
       ${SOURCE_DIR}/src/${layer}/*.cu ${SOURCE_DIR}/src/${layer}/*.cuh)
  if(NOT sources)
    message(SEND_ERROR "There are no sources in src/${layer}.")
  endif()
  foreach(source ${sources})
    file(STRINGS ${source} lines REGEX "(^|[^A-Za-z0-9_])((secure_)?getenv|setenv|unsetenv|putenv|clearenv|environ)([^A-Za-z0-9_]|$)")
    foreach(line IN LISTS lines)
      message(SEND_ERROR "${source}: ${line}")
    endforeach()
  endforeach()
endforeach()
