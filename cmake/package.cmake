# A package for Debian: `cpack -G DEB` in a build that is configured with -DCMAKE_INSTALL_PREFIX=/usr. scripts/release
# makes such a build. It has the program, its manual pages and completions, the archive of the library, and the headers.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME alnus)
set(ALNUS_CONTACT "the alnus authors <alnus@example.org>" CACHE STRING "who answers for the Debian package")
set(CPACK_PACKAGE_CONTACT "${ALNUS_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "exact sequence alignment on CPU vector units")
set(CPACK_PACKAGE_DESCRIPTION
    "alnus searches databases of proteins and DNA, and aligns all pairs of a
set, exactly: by Smith-Waterman, Needleman-Wunsch and semiglobal alignment
with affine gaps, and with no heuristic before it. It returns scores,
alignments and E-values.
.
This package has the program and the C++ library.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};alnus;${alnus_kind};/")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs that link the archive need these packages.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, pkg-config, libdeflate-dev, libfmt-dev, libminizip-dev, libsodium-dev, libxxhash-dev, libzstd-dev, zlib1g-dev")

# What Debian asks of every package: compressed manual pages, a copyright file and a list of changes.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(doc ${PROJECT_BINARY_DIR}/doc)
  string(TIMESTAMP alnus_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian-copyright.in ${doc}/copyright @ONLY)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/debian-changelog.in ${doc}/changelog @ONLY)
  install(CODE "
    execute_process(COMMAND gzip -9nkf \"${doc}/changelog\" COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/alnus*.1\")
    if(pages)
      execute_process(COMMAND gzip -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)
    endif()" COMPONENT ${alnus_kind})
  install(FILES ${doc}/copyright DESTINATION share/doc/alnus COMPONENT ${alnus_kind})
  install(FILES ${doc}/changelog.gz DESTINATION share/doc/alnus COMPONENT ${alnus_kind})
  foreach(package libcli11-dev nlohmann-json3-dev)  # they are compiled into alnus, and their licences ask for this
    install(FILES /usr/share/doc/${package}/copyright DESTINATION share/doc/alnus RENAME copyright.${package}
            COMPONENT ${alnus_kind})
  endforeach()
endif()
include(CPack)
