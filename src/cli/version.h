// The texts that `alnus --version` prints.
#pragma once

#include <string>

namespace alnus::cli {

std::string version_text();
// A JSON object with the version, the compiler, CUDA's toolkit (null: built without GPUs), the libraries, and
// what `alnus devices --json` prints.
std::string version_json();

}  // namespace alnus::cli
