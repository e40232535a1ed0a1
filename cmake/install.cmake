# What is installed: the headers, the library, the program with its manual pages and completions, a CMake package
# (find_package(alnus) gives alnus::alnus) and alnus.pc for pkg-config. There are two such trees, one with the archive
# and one with the shared library, each a component of that name. `cmake --install BUILD` installs the one that
# BUILD_SHARED_LIBS chooses.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/alnus)
file(RELATIVE_PATH pc_to_include ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/alnus-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)

foreach(kind static shared)
  set(how COMPONENT ${kind})
  if(NOT kind STREQUAL alnus_kind)
    list(APPEND how EXCLUDE_FROM_ALL)
  endif()
  # A program that links the archive links all that the archive uses, too.
  set(pc_requires "")
  set(pc_libs "")
  if(kind STREQUAL "static")
    set(pc_requires "fmt libdeflate libsodium libxxhash libzstd minizip zlib")
    set(pc_libs "-pthread")
    if(CUDAToolkit_FOUND)
      string(APPEND pc_libs " ${CUDA_cudart_static_LIBRARY} -ldl -lrt")
    endif()
  endif()
  set(package ${PROJECT_BINARY_DIR}/package/${kind})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/alnus.pc.in ${package}/alnus.pc @ONLY)
  configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/alnus-config.cmake.in ${package}/alnus-config.cmake
                                INSTALL_DESTINATION ${package_dir})

  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/alnus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${how})
  install(TARGETS alnus_${kind} alnus_papers_${kind} EXPORT alnus_${kind} DESTINATION ${CMAKE_INSTALL_LIBDIR} ${how})
  install(TARGETS alnus_program_${kind} DESTINATION ${CMAKE_INSTALL_BINDIR} ${how})
  install(EXPORT alnus_${kind} NAMESPACE alnus:: FILE alnus-targets-${kind}.cmake DESTINATION ${package_dir} ${how})
  install(FILES ${package}/alnus-config.cmake ${PROJECT_BINARY_DIR}/package/alnus-config-version.cmake
          DESTINATION ${package_dir} ${how})
  install(FILES ${package}/alnus.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${how})
  # Manual pages and completions, which the program writes.
  if(NOT CMAKE_CROSSCOMPILING)
    set(pages ${PROJECT_BINARY_DIR}/pages/${kind})
    install(CODE "execute_process(COMMAND \"$<TARGET_FILE:alnus_program_${kind}>\" pages \"${pages}\"
                  COMMAND_ERROR_IS_FATAL ANY)" ${how})
    install(DIRECTORY ${pages}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} ${how})
    install(DIRECTORY ${pages}/bash-completion ${pages}/zsh ${pages}/fish DESTINATION ${CMAKE_INSTALL_DATADIR} ${how})
  endif()
endforeach()
