// Where the user's programs keep what they would otherwise compute again.
#pragma once

#include <string>

namespace alnus::cli {

// $XDG_CACHE_HOME/alnus, or ~/.cache/alnus; empty where neither variable is set.
std::string user_cache_directory();

}  // namespace alnus::cli
