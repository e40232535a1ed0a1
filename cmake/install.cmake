# Headers, the library and a CMake package: find_package(alnus) gives alnus::alnus.
