// The directory where programs of this user keep results that take long to compute.
#pragma once

#include <string>

namespace alnus::cli {

// $XDG_CACHE_HOME/alnus, or $HOME/.cache/alnus; empty if neither variable is an absolute path.
std::string user_cache_directory();

}  // namespace alnus::cli
