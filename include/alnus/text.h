// Numbers and words as alnus writes them, for programs that speak to its users.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "alnus/export.h"

namespace alnus {

ALNUS_API std::string format_count(std::uint64_t number);  // "1,391,911"
ALNUS_API std::string format_count(std::uint64_t number, const char* singular, const char* plural);
ALNUS_API std::string format_cells(double cells);                  // "361.2 billion"
ALNUS_API std::string format_speed(double cells, double seconds);  // "92.1 GCUPS", "1.23 TCUPS"
ALNUS_API std::string format_seconds(double seconds);              // "0.42 s", "3:05", "1:02:03"
ALNUS_API std::string format_bytes(double bytes);                  // "512 bytes", "1.5 GiB"

// What a user wrote, for a message: in quotes, unprintable bytes as \xNN, cut after 40 bytes.
ALNUS_API std::string in_quotes(std::string_view text);
// A line for a terminal: the text with all control characters, line ends included, and all bytes that are no
// UTF-8 as \xNN. File names and ids may hold any bytes, and a terminal obeys some of them.
ALNUS_API std::string printable(std::string_view text);

// Returns the candidate that `word` probably means, or an empty text if none is near. Case is ignored.
// Dashes are no letters, but count in edits. If `word` has three letters or more, candidates that start with
// it are near, and come before others. Any other candidate is near if the edits (insertions, deletions and
// substitutions) that make it `word` are at most a third of the letters of the longer word. Of several near
// candidates the result is the one with the fewest edits; of equally near ones it is one with the same first
// letter, or else the first.
ALNUS_API std::string nearest(std::string_view word, std::span<const std::string_view> candidates);
ALNUS_API std::string nearest(std::string_view word, std::span<const std::string> candidates);
// What a message proposes in place of `word`: "did you mean local?", or, when no candidate is near, "choose
// one of local, global, semiglobal." Without candidates it says that there are none.
ALNUS_API std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);
ALNUS_API std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace alnus
