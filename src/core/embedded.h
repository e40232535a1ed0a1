// Files of data/ that are compiled in.
#pragma once

#include <span>
#include <string_view>

namespace alnus {

struct EmbeddedFile {
  std::string_view path;  // below data/: "matrices/BLOSUM62.txt"
  std::string_view text;
};

// The library's files: matrices and published statistics.
std::span<const EmbeddedFile> embedded_files();

// The text of data/<path>, which must be one of `files`.
std::string_view embedded_text(std::string_view path, std::span<const EmbeddedFile> files = embedded_files());

}  // namespace alnus
