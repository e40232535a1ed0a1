#include "cli/text_table.h"

#include <algorithm>

#include "alnus/text.h"

namespace alnus::cli {
namespace {

// The characters of a UTF-8 text, which printable() has made.
std::size_t width_of(const std::string& cell) {
  return static_cast<std::size_t>(std::ranges::count_if(cell, [](char byte) {
    const auto bits = static_cast<unsigned char>(byte);
    return (bits & 0xc0U) != 0x80U;
  }));
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = printable(cell);
  rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(sides_.size());
  for (const std::vector<std::string>& row : rows_)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], width_of(row[column]));
  std::string text;
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string blanks(widths[column] - width_of(row[column]), ' ');
      const bool left = sides_[column] == Side::left;
      line += "  " + (left ? row[column] + blanks : blanks + row[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace alnus::cli
