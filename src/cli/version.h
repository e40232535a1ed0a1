// The version of the program, and the texts that `alnus --version` prints.
#pragma once

#include <string>

namespace alnus::cli {

// "alnus 0.1.0 (commit 3097d79c41fe)"; without the commit if the build has none.
std::string build_name();
std::string version_text();
// A JSON object with the version, the commit (null: none is known), the compiler, CUDA's toolkit (null: built
// without GPUs), the libraries, and what `alnus devices --json` prints.
std::string version_json();

}  // namespace alnus::cli
