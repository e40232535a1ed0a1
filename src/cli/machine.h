// What this machine is.
#pragma once

#include <string>

namespace alnus::cli {

// As Linux calls it; empty where it does not.
std::string cpu_model();

}  // namespace alnus::cli
