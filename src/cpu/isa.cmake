# Each instruction set has one translation unit, compiled for it; the program chooses at run time. Functions and
# loops are aligned so that their speed does not depend on their address: without that, AVX2's interseq lost up to
# 8% in some builds.
set(alnus_isa_optimization -O3)
if(CMAKE_CXX_FLAGS MATCHES -fsanitize)  # with -O3 a sanitizer's checks take three times as long to compile
  set(alnus_isa_optimization -O1)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(alnus_isa_flags_sse41 -msse4.1)
  set(alnus_isa_flags_avx2 -mavx2 -mtune=haswell)
  set(alnus_isa_flags_avx512 -mavx512f -mavx512bw -mavx512vl -mavx512vbmi -mavx512dq -mprefer-vector-width=512
      $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> -Wno-uninitialized)  # g++ 12 warns of its own AVX-512 headers
  foreach(isa sse41 avx2 avx512)
    set_source_files_properties(cpu/isa_${isa}.cpp PROPERTIES COMPILE_OPTIONS
                                "${alnus_isa_optimization};-falign-functions=64;-falign-loops=32;-fno-tree-slp-vectorize;-Wno-ignored-attributes;${alnus_isa_flags_${isa}}")
  endforeach()
  target_compile_definitions(alnus_cpu PRIVATE ALNUS_X86)
else()
  set_source_files_properties(cpu/isa_sse41.cpp cpu/isa_avx2.cpp cpu/isa_avx512.cpp PROPERTIES HEADER_FILE_ONLY ON)
endif()
set_source_files_properties(cpu/isa_portable.cpp PROPERTIES COMPILE_OPTIONS "${alnus_isa_optimization}")
