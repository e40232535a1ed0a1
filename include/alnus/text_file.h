// Texts that options of programs name, such as lists of files.
#pragma once

#include <string>

#include "alnus/export.h"

namespace alnus {

// Reads a whole file as text; "-" is standard input, and what gzip or zstd packed is unpacked. A pipe may be
// given, such as <(...) of a shell, but must be opened by its writer within 10 seconds and bring at most
// 1 GiB. Throws Error(input) naming the file for what cannot be read, for a pipe that brings more or has no
// writer, and for devices other than terminals and /dev/null. All readers of matrices, backgrounds and lists
// of pairs do the same.
ALNUS_API std::string read_text_file(const std::string& path);

}  // namespace alnus
