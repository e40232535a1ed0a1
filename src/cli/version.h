// What `alnus --version` prints.
#pragma once

#include <string>

namespace alnus::cli {

std::string version_text();
// An object with the version, the compiler, CUDA's toolkit (null: without GPUs), the libraries, and what
// `alnus devices --json` prints.
std::string version_json();

}  // namespace alnus::cli
