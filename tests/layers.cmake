# Checks that each layer includes only the layers that it may include (docs/architecture.md). Run by ctest: cmake -P.
cmake_minimum_required(VERSION 3.25)

set(may_include_core core)
set(may_include_stats core stats)
set(may_include_io core stats io)
set(may_include_cpu core cpu)
set(may_include_cuda core stats cuda)
set(may_include_papers core cuda papers)
set(may_include_engine core stats engine)
set(may_include_graph core graph)
set(may_include_session core stats io engine session)
set(may_include_jobs core stats io engine graph session jobs)
set(may_include_api core stats io engine graph session jobs api)
set(may_include_cli cli)  # and the public headers, like any other program
set(may_include_bench core stats io engine cli bench)
set(may_include_main cli bench)  # main.cpp alone joins the two

foreach(layer core stats io cpu cuda papers engine graph session jobs api cli bench main)
  set(folder ${SOURCE_DIR}/src/${layer})
  file(GLOB own ${folder}.cpp)  # src/main.cpp for the layer main, nothing for the others
  if(layer STREQUAL cuda)
    set(own ${SOURCE_DIR}/src/without_cuda.cpp)  # stands in for the folder in builds without CUDA
  endif()
  file(GLOB_RECURSE sources ${folder}/*.h ${folder}/*.cpp ${folder}/*.cu ${folder}/*.cuh)
  foreach(source ${own} ${sources})
    set(allowed alnus ${may_include_${layer}})
    if(source MATCHES "/engine/registry.cpp$")
      list(APPEND allowed cpu cuda)  # this file alone names the backends
    endif()
    file(STRINGS ${source} includes REGEX "^#include \"[a-z]+/")
    foreach(include ${includes})
      string(REGEX REPLACE "^#include \"([a-z]+)/.*" "\\1" included ${include})
      if(NOT included IN_LIST allowed)
        message(SEND_ERROR "${source}: ${include}: layer ${layer} may include ${allowed} only")
      endif()
    endforeach()
  endforeach()
endforeach()

# The Python module is a user of the library like any other.
file(GLOB sources ${SOURCE_DIR}/python/src/*.h ${SOURCE_DIR}/python/src/*.cpp)
foreach(source ${sources})
  file(STRINGS ${source} includes REGEX "^#include \"[a-z]+/")
  foreach(include ${includes})
    if(NOT include MATCHES "^#include \"alnus/")
      message(SEND_ERROR "${source}: ${include}: the Python module may include the public headers only")
    endif()
  endforeach()
endforeach()
