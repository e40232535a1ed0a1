// The byte order mark, which some editors write before the text of a file in UTF-8.
#pragma once

#include <string_view>

namespace alnus {

inline std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  return text;
}

}  // namespace alnus
