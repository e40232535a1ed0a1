# alnus_embed(room PATTERN...): compiles data files in. data/<folder>/<file> becomes a row of
# generated/<room>_data.inc, which src/<room>/embedded.cpp includes. The list is written again when a file changes.
function(alnus_embed room)
  set(rows "")
  foreach(pattern ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/data ${PROJECT_SOURCE_DIR}/data/${pattern})
    foreach(file ${files})
      file(READ ${PROJECT_SOURCE_DIR}/data/${file} text)
      string(APPEND rows "{\"${file}\", R\"alnus(${text})alnus\"},\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/${file})
    endforeach()
  endforeach()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/${room}_data.inc CONTENT "${rows}")
endfunction()

alnus_embed(core matrices/*.txt stats/*.tsv)
alnus_embed(bench papers/*.json queries/*.fasta)
