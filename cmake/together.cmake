# compile_together(TARGET): where ALNUS_UNITY_BUILD is on, as it is in the presets, the sources of a target are compiled a
# few at a time, so that the compiler reads their headers once for all of them. The name of a source decides its group: a
# new source moves others only where it doubles the number of groups.
function(compile_together target)
  if(NOT ALNUS_UNITY_BUILD)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  list(LENGTH sources count)
  set(groups 1)
  math(EXPR wanted "${count} / 4")  # of two to four sources on average
  while(groups LESS_EQUAL wanted)
    math(EXPR groups "2 * ${groups}")
  endwhile()
  foreach(source ${sources})
    get_filename_component(name ${source} NAME)
    string(MD5 digest ${name})
    string(SUBSTRING ${digest} 0 4 digits)
    math(EXPR group "0x${digits} % ${groups}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${target}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A group includes its sources, and g++ takes what is included for headers, which had better name no such types.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()
