#include "cli/section_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "alnus/text.h"
#include "cli/text_table.h"

namespace alnus::cli {
namespace {

using Side = TextTable::Side;
using Kind = ReportSection::Kind;

// A bar for a part of a whole.
std::string bar(std::uint64_t part, std::uint64_t whole) {
  constexpr double kLongest = 40;
  const double share = whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  const auto length = static_cast<std::size_t>(std::lround(kLongest * share));
  return std::string(part > 0 ? std::max<std::size_t>(length, 1) : 0, '#');
}

// A column of digits, points, commas, signs and % alone is of numbers.
bool is_of_numbers(const ReportSection& table, std::size_t column) {
  return std::ranges::all_of(table.rows, [&](const std::vector<std::string>& row) {
    return row[column].find_first_not_of("-0123456789.,%") == std::string::npos;
  });
}

std::string table_text(const ReportSection& section) {
  if (section.rows.empty()) return {};
  std::vector<Side> sides;
  for (std::size_t column = 0; column < section.rows.front().size(); ++column)
    sides.push_back(is_of_numbers(section, column) ? Side::right : Side::left);
  TextTable table(sides);
  if (!section.columns.empty()) table.add(section.columns);
  for (const std::vector<std::string>& row : section.rows) table.add(row);
  return table.text();
}

std::string bars_text(const ReportSection& section) {
  std::uint64_t all = 0;
  for (const ReportSection::Bar& one : section.bars) all += one.number;
  TextTable table({Side::left, Side::right, Side::right, Side::left});
  for (const ReportSection::Bar& one : section.bars)
    table.add({one.label, format_count(one.number), one.more, bar(one.number, all)});
  return table.text();
}

// The paragraph with a line for each of its sentences.
std::string sentences(const std::string& text) {
  std::string lines = "  " + printable(text) + "\n";
  for (std::size_t end = lines.find(". "); end != std::string::npos; end = lines.find(". ", end + 1))
    lines.replace(end + 1, 1, "\n  ");
  return lines;
}

}  // namespace

std::string text_of(std::span<const ReportSection> sections) {
  std::string text;
  for (const ReportSection& section : sections) {
    const bool first = &section == sections.data() && section.kind == Kind::text;
    if (!first) text += "\n" + printable(section.title) + "\n";
    for (const std::string& line : section.lines) text += (first ? "" : "  ") + printable(line) + "\n";
    if (section.kind == Kind::table) text += table_text(section);
    if (section.kind == Kind::bars) text += bars_text(section);
    if (!section.note.empty()) text += sentences(section.note);
  }
  return text;
}

}  // namespace alnus::cli
