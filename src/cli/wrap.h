// Text in lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace alnus::cli {

// `text` in lines of at most `width` columns, the second and further ones indented; the first begins at
// `indent` too.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

}  // namespace alnus::cli
