// The files of data/ that are compiled in.
#pragma once

#include <span>
#include <string_view>

namespace alnus {

struct EmbeddedFile {
  std::string_view path;  // below data/: "matrices/BLOSUM62.txt"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

// The text of data/<path>. The file must be one of those compiled in.
std::string_view embedded_text(std::string_view path);

}  // namespace alnus
