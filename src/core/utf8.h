// UTF-8, the encoding of texts.
#pragma once

#include <cstddef>
#include <string_view>

namespace alnus {

// The bytes of the UTF-8 character that the text, which is not empty, begins with; 0 if it begins with none.
std::size_t utf8_character_bytes(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace alnus
