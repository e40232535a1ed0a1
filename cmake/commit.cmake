# Writes a source that has the commit of the clone, or an empty text if the sources are no clone. The build runs this
# each time; the source is written again only if the commit has changed, so that nothing else is compiled anew.
#   cmake -DSOURCE=FOLDER -DOUTPUT=FILE -P cmake/commit.cmake
set(commit "")
if(EXISTS ${SOURCE}/.git)  # not in released sources, even if they lie within a clone of something else
  execute_process(COMMAND git --no-optional-locks -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE result ERROR_QUIET)
  if(result EQUAL 0)
    set(commit ${found})
  endif()
endif()
set(text "// Written by cmake/commit.cmake.
#include \"alnus/devices.h\"

namespace alnus {

std::string_view commit() { return \"${commit}\"; }

}  // namespace alnus
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${OUTPUT} "${text}")
endif()
