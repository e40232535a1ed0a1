# Headers, the library, the command line and a CMake package: find_package(alnus) gives alnus::alnus.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/alnus)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/alnus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS alnus EXPORT alnus-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET alnus_cli)
  install(TARGETS alnus_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT alnus-targets NAMESPACE alnus:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/alnus-config.cmake.in
                              ${PROJECT_BINARY_DIR}/alnus-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/alnus-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/alnus-config.cmake ${PROJECT_BINARY_DIR}/alnus-config-version.cmake
        DESTINATION ${package_dir})
