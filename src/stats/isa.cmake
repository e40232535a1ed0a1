# Each instruction set has one translation unit, compiled for it; the program chooses at run time.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(stats/pair_balance_avx2.cpp PROPERTIES COMPILE_OPTIONS "-O3;-mavx2")
  set_source_files_properties(stats/pair_balance_avx512.cpp PROPERTIES COMPILE_OPTIONS
                              "-O3;-mavx512f;-mavx512dq;-mprefer-vector-width=512")
  target_compile_definitions(alnus_stats PRIVATE ALNUS_X86)
else()
  set_source_files_properties(stats/pair_balance_avx2.cpp stats/pair_balance_avx512.cpp PROPERTIES HEADER_FILE_ONLY ON)
endif()
set_source_files_properties(stats/pair_balance_portable.cpp PROPERTIES COMPILE_OPTIONS "-O3")
