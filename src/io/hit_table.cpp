#include "io/hit_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <system_error>

#include "alnus/text.h"

namespace alnus::io {
namespace {

constexpr std::string_view kFields = "# Fields: ";
constexpr std::string_view kUnaligned = "*";  // the subject of a query without hits
constexpr double kAnyNumber = std::numeric_limits<double>::max();
enum : std::size_t { kQuery, kSubject, kPercent, kLength, kEvalue, kBits };

// The names of a value's column in lower case: BLAST's keywords, and its titles and DIAMOND's in comments.
struct ColumnNames {
  std::string_view keyword;
  std::vector<std::string_view> names;
};
const std::array<ColumnNames, 6>& hit_columns() {
  static const std::array<ColumnNames, 6> columns = {{
      {"qseqid", {"qaccver", "qacc", "query id", "query acc.ver", "query acc."}},
      {"sseqid", {"saccver", "sacc", "subject id", "subject acc.ver", "subject acc."}},
      {"pident", {"% identity", "percentage of identical matches"}},
      {"length", {"alignment length"}},
      {"evalue", {"expected value"}},
      {"bitscore", {"bit score"}},
  }};
  return columns;
}

bool is_named(const ColumnNames& column, std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(letter | (letter >= 'A' && letter <= 'Z' ? 0x20 : 0));
  });
  return lower == column.keyword || std::ranges::find(column.names, lower) != column.names.end();
}

std::vector<std::string> split_titles(std::string_view titles) {
  constexpr std::string_view kSeparator = ", ";
  std::vector<std::string> names;
  for (;;) {
    const std::size_t end = titles.find(kSeparator);
    names.emplace_back(titles.substr(0, end));
    if (end == titles.npos) return names;
    titles.remove_prefix(end + kSeparator.size());
  }
}

// BLAST writes blanks before some numbers.
std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

HitTableReader::HitTableReader(const Input& input, const StopFlag& stop)
    : reader_(input, stop), columns_{0, 1, 2, 3, 10, 11}, width_(12) {}

bool HitTableReader::next(TableHit& hit) {
  while (reader_.next()) {
    const std::string_view line = reader_.line();
    if (line.starts_with(kFields)) {
      take_names(split_titles(line.substr(kFields.size())));
      continue;
    }
    if (line.empty() || line.front() == '#') continue;
    split_line(reader_, '\t', fields_);
    const bool is_first = !has_rows_;
    has_rows_ = true;
    if (is_first && std::ranges::any_of(hit_columns(), [&](const ColumnNames& column) {
          return is_named(column, fields_[0]);
        })) {
      take_names(fields_);
      continue;
    }
    if (fields_.size() != width_)
      reader_.refuse(
          fmt::format("the row has {} instead of {}. Give a table of BLAST's -outfmt 6 or 7 (tabs) with "
                      "the standard columns, or one with a line \"# Fields: ...\".",
                      format_count(fields_.size(), "column", "columns"), width_));
    if (field(kSubject) == kUnaligned) continue;
    hit.query = field(kQuery);
    hit.subject = field(kSubject);
    for (const std::string* id : {&hit.query, &hit.subject})
      if (id->empty()) reader_.refuse("an id is empty. Give every sequence an id.");
    constexpr double kWhole = 100, kLongest = 1e15;
    hit.percent_identity = number(kPercent, kWhole);
    const double length = number(kLength, kLongest);
    if (length != std::floor(length))
      reader_.refuse(
          fmt::format("the column length has {}, which is no whole number.", in_quotes(field(kLength))));
    hit.length = static_cast<std::uint64_t>(length);
    hit.evalue = number(kEvalue, kAnyNumber);
    hit.bits = number(kBits, kAnyNumber);
    return true;
  }
  return false;
}

// Finds the columns of the values among the names of all columns.
void HitTableReader::take_names(const std::vector<std::string>& names) {
  for (std::size_t value = 0; value < kValues; ++value) {
    const ColumnNames& column = hit_columns()[value];
    const auto found =
        std::ranges::find_if(names, [&](const std::string& name) { return is_named(column, name); });
    if (found == names.end())
      reader_.refuse(
          fmt::format("the table has no column {}. Write the table with the columns qseqid, sseqid, pident, "
                      "length, evalue and bitscore.",
                      column.keyword));
    columns_[value] = static_cast<std::size_t>(found - names.begin());
  }
  width_ = names.size();
}

const std::string& HitTableReader::field(std::size_t value) const { return fields_[columns_[value]]; }

// The number of a value, from 0 to `highest`. A number too small for a double is 0.
double HitTableReader::number(std::size_t value, double highest) const {
  const std::string_view text = without_blanks(field(value));
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_read = end == text.data() + text.size() && !text.empty();
  if (is_read && error == std::errc::result_out_of_range && text.find("e-") != text.npos) return 0;
  if (!is_read || error != std::errc() || !(number >= 0 && number <= highest))
    reader_.refuse(fmt::format("the column {} has {}, which is no number from 0{}.",
                               hit_columns()[value].keyword, in_quotes(field(value)),
                               highest < kAnyNumber ? fmt::format(" to {}", highest) : " on"));
  return number;
}

}  // namespace alnus::io
