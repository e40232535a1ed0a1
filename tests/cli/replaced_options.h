// Options in place of others: alnus refuses an option of one value that is given twice.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace alnus::test {

// Returns `arguments` and `more`, without those options of `arguments` that `more` has, too.
inline std::vector<std::string> with_options(std::vector<std::string> arguments,
                                             const std::vector<std::string>& more) {
  for (const std::string& word : more) {
    if (word.size() < 2 || word.front() != '-' || word == "--matrix-out")
      continue;  // --matrix-out may be repeated
    const auto found = std::ranges::find(arguments, word);
    if (found == arguments.end()) continue;
    const auto next = found + 1;
    const bool has_value = next != arguments.end() && !next->starts_with('-');
    arguments.erase(found, has_value ? next + 1 : next);
  }
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace alnus::test
