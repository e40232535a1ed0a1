# Compiles the data files in: data/<folder>/<file> becomes a row of embedded_data.inc, which
# src/core/embedded.cpp includes. Written anew when a file changes.
function(alnus_embed output)
  set(rows "")
  foreach(pattern ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/data ${PROJECT_SOURCE_DIR}/data/${pattern})
    foreach(file ${files})
      file(READ ${PROJECT_SOURCE_DIR}/data/${file} text)
      string(APPEND rows "{\"${file}\", R\"alnus(${text})alnus\"},\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/${file})
    endforeach()
  endforeach()
  file(GENERATE OUTPUT ${output} CONTENT "${rows}")
endfunction()

alnus_embed(${PROJECT_BINARY_DIR}/generated/embedded_data.inc matrices/*.txt stats/*.tsv papers/*.json queries/*.fasta)
