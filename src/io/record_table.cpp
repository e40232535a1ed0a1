#include "alnus/record_table.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/id_index.h"
#include "io/line_reader.h"

namespace alnus {
namespace {

// The columns that a table has by its first line.
std::vector<RecordTable::Column> columns_of(const io::LineReader& reader, std::vector<std::string>& fields,
                                            bool has_header) {
  if (fields.size() < 2)
    reader.refuse(
        "the line has one column. A table of records has their ids in the first column, then a tab or a "
        "comma, and what it says of them.");
  std::vector<RecordTable::Column> columns(fields.size() - 1);
  if (has_header)
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].name = std::move(fields[c + 1]);
  return columns;
}

SequenceSet::Index record_of(const io::LineReader& reader, const std::string& id, const io::IdIndex& ids,
                             const RecordTable& table) {
  const std::optional<SequenceSet::Index> record = ids.find(id);
  const std::string& origin = ids.sequences().origin();
  if (!record)
    reader.refuse(fmt::format("{} has no record {}. Check that both files belong together{}.",
                              origin.empty() ? "the set" : origin, in_quotes(id),
                              reader.number() == 1 ? "; if this is a header, let it begin with id" : ""));
  if (ids.is_repeated(id))
    reader.refuse(
        fmt::format("several records have the id {}. Give each record an id of its own.", in_quotes(id)));
  if (table.lines[*record] > 0)
    reader.refuse(fmt::format("the id {} is on line {}, too. Leave one of the lines out.", in_quotes(id),
                              table.lines[*record]));
  return *record;
}

}  // namespace

RecordTable read_record_table(const std::string& path, const SequenceSet& set) {
  const io::IdIndex ids(set);
  io::LineReader reader(path);
  RecordTable table{path, {}, std::vector<std::uint64_t>(set.size())};
  std::vector<std::string> fields;
  char separator = '\t';
  while (reader.next()) {
    if (reader.line().empty()) continue;
    const bool first = table.columns.empty();
    if (first && reader.line().find('\t') == reader.line().npos) separator = ',';
    split_line(reader, separator, fields);
    if (first) {
      const bool has_header = fields.front() == "id";
      table.columns = columns_of(reader, fields, has_header);
      for (RecordTable::Column& column : table.columns) column.values.resize(set.size());
      if (has_header) continue;
    }
    if (fields.size() != table.columns.size() + 1)
      reader.refuse(fmt::format("the line has {}, but the first line has {}. Give every line all columns.",
                                format_count(fields.size(), "column", "columns"), table.columns.size() + 1));
    const SequenceSet::Index record = record_of(reader, fields.front(), ids, table);
    table.lines[record] = reader.number();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (fields[c + 1].empty())
        reader.refuse(fmt::format("column {} is empty. Give it a value, or leave the line out.", c + 2));
      table.columns[c].values[record] = std::move(fields[c + 1]);
    }
  }
  if (table.columns.empty())
    refuse_input(
        fmt::format("{} has no lines. A table of records has lines of an id, a tab or a comma, and "
                    "what it says of the record.",
                    reader.name()));
  return table;
}

std::vector<double> read_priorities(const std::string& path, const SequenceSet& set) {
  const RecordTable table = read_record_table(path, set);
  std::vector<double> numbers(set.size());
  const std::vector<std::string>& texts = table.columns.front().values;
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    if (table.lines[i] == 0) continue;
    const std::string& text = texts[i];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(numbers[i]))
      io::refuse_line(path, table.lines[i],
                      fmt::format("{} is no number. Priorities are numbers, and higher ones come first.",
                                  in_quotes(text)));
  }
  return numbers;
}

}  // namespace alnus
