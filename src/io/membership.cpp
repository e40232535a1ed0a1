#include "io/membership.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/clstr.h"
#include "io/line_reader.h"
#include "io/membership_builder.h"
#include "io/mmseqs_ids.h"

namespace alnus::io {
namespace {

constexpr std::string_view kKnownFormats =
    "A membership is MMseqs2's table (representative TAB member), CD-HIT's .clstr, GraphPart's CSV, or a "
    "table "
    "of id and set (docs/memberships.md)";

struct TableRow {
  std::string first, second;
  std::uint64_t line;
};

// Reads the rows whose `first` and `second` are these columns. Without a header (`columns` is 0) the reader's
// line is a row, which must have two columns.
std::vector<TableRow> read_rows(LineReader& reader, char separator, std::size_t first, std::size_t second,
                                std::size_t columns) {
  const bool has_header = columns > 0;
  if (!has_header) columns = 2;
  std::vector<TableRow> rows;
  std::vector<std::string> fields;
  for (bool more = !has_header || reader.next(); more; more = reader.next()) {
    if (reader.line().empty()) continue;
    split_line(reader, separator, fields);
    if (fields.size() != columns && has_header)
      reader.refuse(fmt::format("the row has {}, but the header has {}. Give every row all columns.",
                                format_count(fields.size(), "column", "columns"), columns));
    if (fields.size() != columns)
      reader.refuse(fmt::format("the line has {} instead of two. {}.",
                                format_count(fields.size(), "column", "columns"), kKnownFormats));
    if (fields[first].empty() || fields[second].empty())
      reader.refuse(fmt::format("column {} is empty. Give each id its set, or leave the line out.",
                                (fields[first].empty() ? first : second) + 1));
    rows.push_back({std::move(fields[first]), std::move(fields[second]), reader.number()});
  }
  return rows;
}

// True if no row has the value of another one in this column.
bool are_distinct(const std::vector<TableRow>& rows, std::string TableRow::*column) {
  std::unordered_set<std::string_view> seen;
  return std::ranges::all_of(rows, [&](const TableRow& row) { return seen.insert(row.*column).second; });
}

// The first row with a representative that has no row with itself; null if there is none.
const TableRow* find_without_itself(const std::vector<TableRow>& rows) {
  std::unordered_set<std::string_view> themselves;
  for (const TableRow& row : rows)
    if (row.first == row.second) themselves.insert(row.first);
  const auto found =
      std::ranges::find_if(rows, [&](const TableRow& row) { return !themselves.contains(row.first); });
  return found == rows.end() ? nullptr : &*found;
}

// Two columns without a header are MMseqs2's table if every representative has a row with itself.
Membership of_two_columns(const std::vector<TableRow>& rows, const std::string& file) {
  const TableRow* const alone = find_without_itself(rows);
  const bool is_mmseqs = alone == nullptr;
  if (!is_mmseqs && !are_distinct(rows, &TableRow::first) && are_distinct(rows, &TableRow::second))
    refuse_line(
        file, alone->line,
        fmt::format("the ids of the first column repeat, as in MMseqs2's table, but its representative "
                    "{0} has no line {0} TAB {0}. Add it, or give id and set in this order.",
                    in_quotes(alone->first)));
  MembershipBuilder builder(is_mmseqs ? MembershipFormat::mmseqs : MembershipFormat::table, file);
  for (const TableRow& row : rows) {
    const std::uint32_t set = builder.set(is_mmseqs ? row.first : row.second);
    const std::uint32_t member = builder.add(is_mmseqs ? row.second : row.first, set, row.line);
    if (is_mmseqs && row.first == row.second) builder.choose_representative(set, member);
  }
  return builder.finish();
}

// GraphPart writes the number of a cluster as "3.0".
std::string_view without_decimals(std::string_view number) {
  if (number.ends_with(".0")) number.remove_suffix(2);
  return number;
}

Membership of_header(LineReader& reader, char separator, const std::vector<std::string>& header,
                     MembershipFormat format) {
  std::size_t column = 1;
  if (format == MembershipFormat::graph_part)
    column = static_cast<std::size_t>(std::ranges::find(header, "cluster") - header.begin());
  MembershipBuilder builder(format, reader.name());
  for (const TableRow& row : read_rows(reader, separator, 0, column, header.size())) {
    const bool number = format == MembershipFormat::graph_part;
    builder.add(row.first, builder.set(number ? without_decimals(row.second) : row.second), row.line);
  }
  return builder.finish();
}

std::string first_three(std::size_t count, const auto& describe) {
  constexpr std::size_t kMost = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(count, kMost); ++k) text += (k > 0 ? ", " : "") + describe(k);
  if (count > kMost) text += fmt::format(" and {} more", format_count(count - kMost));
  return text;
}

std::string origin_or_set(const SequenceSet& sequences) {
  return sequences.origin().empty() ? "the set" : sequences.origin();
}

// Says why a file may have ids that no record has.
std::string_view reason(const Membership& membership, const MatchedMembership& matched) {
  switch (membership.format) {
    case MembershipFormat::cd_hit:
      return "CD-HIT cuts ids after 19 letters by default: if that is why, run it again with -d 0.";
    case MembershipFormat::graph_part:
      return "GraphPart ends ids at the first | or : of a header: if that is why, give records ids without "
             "them.";
    case MembershipFormat::table:
      if (membership.members[matched.unknown.front()].line == 1)
        return "If line 1 is a header, let it begin with the columns id and subset; else check the ids.";
      break;
    case MembershipFormat::mmseqs:
    case MembershipFormat::split:
      break;
  }
  return "Check that both files belong together.";
}

}  // namespace

Membership read_membership(const Input& input, const StopFlag& stop) {
  LineReader reader(input, stop);
  do {
    if (!reader.next()) refuse_input(fmt::format("{} has no lines. {}.", reader.name(), kKnownFormats));
  } while (reader.line().empty());
  if (is_clstr(reader.line())) return read_clstr(reader);
  if (reader.line().starts_with('>'))
    reader.refuse(fmt::format("this is FASTA, but a membership is wanted. {}.", kKnownFormats));
  const char separator = reader.line().find('\t') != reader.line().npos ? '\t' : ',';
  std::vector<std::string> fields;
  split_line(reader, separator, fields);
  if (fields.front() == "AC" && std::ranges::find(fields, "cluster") != fields.end())
    return of_header(reader, separator, fields, MembershipFormat::graph_part);
  if (fields.size() >= 2 && fields[0] == "id" && fields[1] == "subset")
    return of_header(reader, separator, fields, MembershipFormat::split);
  return of_two_columns(read_rows(reader, separator, 0, 1, 0), reader.name());
}

MatchedMembership match(const Membership& membership, const IdIndex& ids) {
  ids.require_distinct();
  const SequenceSet& sequences = ids.sequences();
  MatchedMembership matched;
  matched.set_of.assign(sequences.size(), kNoSet);
  matched.representatives.resize(membership.sets.size());
  std::optional<MmseqsIds> others;  // made when an id is not found
  for (std::uint32_t m = 0; m < membership.members.size(); ++m) {
    const Membership::Member& member = membership.members[m];
    std::optional<SequenceSet::Index> record = ids.find(member.id);
    if (!record && membership.format == MembershipFormat::mmseqs) {
      if (!others) others.emplace(sequences);
      record = others->find(member.id);
    }
    if (!record) {
      matched.unknown.push_back(m);
      continue;
    }
    if (matched.set_of[*record] != kNoSet)
      refuse_input(fmt::format("{}, line {}: {} names the record {}, which an earlier line names already.",
                               membership.file, member.line, in_quotes(member.id),
                               in_quotes(sequences[*record].id())));
    matched.set_of[*record] = member.set;
    if (membership.sets[member.set].representative == m) matched.representatives[member.set] = record;
  }
  for (SequenceSet::Index i = 0; i < sequences.size(); ++i)
    if (matched.set_of[i] == kNoSet) matched.without_set.push_back(i);
  return matched;
}

void require_known_ids(const Membership& membership, const MatchedMembership& matched,
                       const SequenceSet& sequences) {
  if (matched.unknown.empty()) return;
  const auto describe = [&](std::size_t k) {
    const Membership::Member& member = membership.members[matched.unknown[k]];
    return fmt::format("{} (line {})", in_quotes(member.id), member.line);
  };
  refuse_input(fmt::format("{} names {} that {} does not have: {}. {}", membership.file,
                           format_count(matched.unknown.size(), "id", "ids"), origin_or_set(sequences),
                           first_three(matched.unknown.size(), describe), reason(membership, matched)));
}

void require_every_record(const Membership& membership, const MatchedMembership& matched,
                          const SequenceSet& sequences) {
  if (matched.without_set.empty()) return;
  const auto describe = [&](std::size_t k) { return in_quotes(sequences[matched.without_set[k]].id()); };
  refuse_input(fmt::format("{} does not name {} of {}: {}. Add a line for each, or leave these records out.",
                           membership.file, format_count(matched.without_set.size(), "record", "records"),
                           origin_or_set(sequences), first_three(matched.without_set.size(), describe)));
}

}  // namespace alnus::io
