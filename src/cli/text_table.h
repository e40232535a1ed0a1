// Tables for people: columns as wide as their widest cell, with two blanks between them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace alnus::cli {

class TextTable {
 public:
  enum class Side : std::uint8_t { left, right };

  // The side of each column to which its cells are moved.
  explicit TextTable(std::vector<Side> sides) : sides_(std::move(sides)) {}

  // Adds a row, which has a cell for each column. Cells are shown as printable() has them.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  // The rows as lines, each with two blanks before it. No line ends with a blank.
  std::string text() const;

 private:
  std::vector<Side> sides_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace alnus::cli
