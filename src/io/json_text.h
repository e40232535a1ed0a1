// Texts whose bytes may not be UTF-8, such as headers: as JSON and other formats can hold them.
#pragma once

#include <string>
#include <string_view>

namespace alnus::io {

// The text as a string of JSON, in quotes, with U+FFFD in place of bytes that are not UTF-8.
std::string as_json(std::string_view text);

// The text itself, with U+FFFD in place of bytes that are not UTF-8.
std::string as_utf8(std::string_view text);

// A name inside of a longer text for people. If it has characters that change the direction of text (U+202A
// to U+202E and U+2066 to U+2069), they become U+FFFD, and the name stands between U+2068 and U+2069.
std::string isolated(std::string_view name);

}  // namespace alnus::io
