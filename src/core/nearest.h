// "Did you mean ...?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace alnus {

// The candidate with the fewest insertions, deletions and substitutions from `word`, case ignored; of
// equals the first. Empty when there are no candidates.
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace alnus
