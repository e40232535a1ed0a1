// Files that are compiled in (cmake/embed.cmake): those of data/, and the page of HTML reports.
#pragma once

#include <span>
#include <string_view>

namespace alnus {

struct EmbeddedFile {
  std::string_view path;  // below its folder: "matrices/BLOSUM62.txt" of data/
  std::string_view text;
};

// The library's files: matrices and published statistics.
std::span<const EmbeddedFile> embedded_files();

// The text of the file of this path, which must be one of `files`.
std::string_view embedded_text(std::string_view path, std::span<const EmbeddedFile> files = embedded_files());

}  // namespace alnus
