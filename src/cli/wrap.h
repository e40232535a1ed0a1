// Wraps text into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alnus::cli {

// Wraps `text` into lines of at most `width` columns. Lines from the second on begin with `indent` blanks.
// The first line gets no blanks, but the caller puts it at column `indent`.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace alnus::cli
