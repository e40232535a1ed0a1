# alnus_embed(room FOLDER PATTERN...): compiles files in. FOLDER/<file> becomes a row of generated/<room>_data.inc, which
# a source of the room includes. The list is written again when a file changes.
function(alnus_embed room folder)
  set(rows "")
  foreach(pattern ${ARGN})
    file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_SOURCE_DIR}/${folder}/${pattern})
    foreach(file ${files})
      file(READ ${PROJECT_SOURCE_DIR}/${folder}/${file} text)
      string(APPEND rows "{\"${file}\", R\"alnus(${text})alnus\"},\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/${file})
    endforeach()
  endforeach()
  file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/generated/${room}_data.inc CONTENT "${rows}")
endfunction()

alnus_embed(core data matrices/*.txt stats/*.tsv)
alnus_embed(bench data papers/*.json queries/*.fasta)
alnus_embed(report src/io/report_page *.html *.css *.js)
