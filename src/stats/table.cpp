#include "stats/table.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace alnus::stats {

std::vector<std::vector<std::string_view>> table_rows(std::string_view text) {
  std::vector<std::vector<std::string_view>> result;
  bool header = true;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.empty() || line.starts_with('#') || std::exchange(header, false)) continue;
    std::vector<std::string_view>& fields = result.emplace_back();
    for (std::size_t tab; (tab = line.find('\t')) != std::string_view::npos; line.remove_prefix(tab + 1))
      fields.push_back(line.substr(0, tab));
    fields.push_back(line);
  }
  return result;
}

double number(std::string_view text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace alnus::stats
