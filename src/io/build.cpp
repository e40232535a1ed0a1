// How the library was built. This file belongs to io because io links the libraries that it names.
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <string>
#include <xxhash.h>
#include <zlib.h>
#include <zstd.h>

#include "alnus/devices.h"

namespace alnus {
namespace {

std::string compiler() {
#ifdef __clang__
  return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

// Returns "9.1.0" for 90100: each part after the first has two digits.
std::string version_of(unsigned number) {
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

}  // namespace

BuildDescription build_description() {
  return {compiler(),
          ALNUS_CUDA_TOOLKIT,
          {{"fmt", version_of(FMT_VERSION)},
           {"libsodium", sodium_version_string()},
           {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                         NLOHMANN_JSON_VERSION_PATCH)},
           {"xxHash", version_of(XXH_versionNumber())},
           {"zlib", zlibVersion()},
           {"zstd", ZSTD_versionString()}}};
}

}  // namespace alnus
