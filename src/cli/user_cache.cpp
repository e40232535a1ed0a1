#include "cli/user_cache.h"

#include <cstdlib>
#include <filesystem>

namespace alnus::cli {

std::string user_cache_directory() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value ? value : "");
  };
  if (const auto cache = set("XDG_CACHE_HOME"); cache.is_absolute()) return cache / "alnus";
  if (const auto home = set("HOME"); home.is_absolute()) return home / ".cache" / "alnus";
  return {};
}

}  // namespace alnus::cli
