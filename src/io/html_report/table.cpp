#include "io/html_report/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "io/along_query.h"
#include "io/json_text.h"

namespace alnus::io {
namespace {

constexpr char kCellEnd = '\x1f';                // no JSON has this byte
constexpr std::size_t kRowsBeforeCut = 1 << 16;  // after which rows of high ranks may be dropped
constexpr std::size_t kPieceRows = 1 << 10;      // rows that a thread prints at a time
constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A column of the report whose values a column of tables prints.
struct Chosen {
  std::string_view name;
  bool is_text;
  bool (*has)(const Columns& rows);
};

bool has_score(const Columns&) { return true; }
bool has_hsps(const Columns& rows) { return !rows.hsp.empty(); }
bool has_significance(const Columns& rows) { return !rows.bits.empty(); }
bool has_counts(const Columns& rows) { return !rows.length.empty(); }
bool has_ends(const Columns& rows) { return !rows.query_end.empty(); }

constexpr Chosen kChosen[] = {
    {"hsp", false, has_hsps},
    {"score", false, has_score},
    {"bitscore", true, has_significance},
    {"evalue", true, has_significance},
    {"adjscore", true, has_significance},
    {"zscore", true, has_significance},
    {"zscore_se", true, has_significance},
    {"zfit", true, has_significance},
    {"qstart", false, has_counts},
    {"qend", false, has_ends},
    {"sstart", false, has_counts},
    {"send", false, has_ends},
    {"nident", false, has_counts},
    {"positive", false, has_counts},
    {"gaps", false, has_counts},
    {"gapopen", false, has_counts},
};

// Adds a value as JSON; `text` has it as tables print it.
void append_value(std::string& json, std::string_view text, bool is_text) {
  if (text == kNotAvailable) {
    json += "null";
  } else if (is_text) {
    json.append(1, '"').append(text).append(1, '"');
  } else {
    json += text;
  }
}

// Adds a CIGAR in which M stands for columns with a letter in both sequences.
void append_gaps_only(std::string& text, std::span<const CigarRun> cigar) {
  const auto is_match = [](CigarRun run) {
    return run.op() != CigarOp::insertion && run.op() != CigarOp::deletion;
  };
  if (cigar.empty()) text += '*';
  for (std::size_t k = 0; k < cigar.size();) {
    std::uint64_t length = cigar[k].length();
    const bool match = is_match(cigar[k]);
    const char letter = match ? 'M' : cigar[k].letter();
    for (++k; k < cigar.size() && (match ? is_match(cigar[k]) : cigar[k].letter() == letter); ++k)
      length += cigar[k].length();
    fmt::format_to(std::back_inserter(text), "{}{}", length, letter);
  }
}

}  // namespace

// Rows that one thread has printed. Their `text_end` counts from the begin of `text`.
struct ReportTable::Printed {
  std::string text;
  std::vector<Row> rows;
  std::vector<std::uint64_t> known_from;  // by number of the value
};

ReportTable::ReportTable(Form form, const Scoring& scoring, ReportSides sides, std::uint64_t most_bytes)
    : form_(std::move(form)),
      context_{.scoring = &scoring, .is_search = form_.by_query},
      sides_(std::move(sides)),
      most_bytes_(most_bytes),
      hits_(form_.by_query ? sides_.queries.size() : 0),
      limit_(kNoLimit) {}

void ReportTable::choose_values(const Columns& rows) {
  if (std::exchange(chosen_, true)) return;
  cigars_ = !rows.cigar_offsets.empty();
  for (const std::string& name : form_.more)
    values_.push_back({name, Source::given, nullptr, true, kNoLimit});
  if (!rows.strand.empty()) values_.push_back({"strand", Source::strand, nullptr, false, kNoLimit});
  const bool decimals = context_.scoring->scale != 1;
  for (const auto& [name, is_text, has] : kChosen)
    if (has(rows) && (form_.has_scores || name != "score"))
      values_.push_back({std::string(name), Source::column, find_column(name),
                         is_text || (decimals && name == "score"), kNoLimit});
  for (const Column& column : all_columns())
    if (const std::optional<Denominator> by = column.identity_range();
        by && !rows.identity_range[static_cast<std::size_t>(*by)].empty())
      values_.push_back({std::string(column.name), Source::column, &column, true, kNoLimit});
}

void ReportTable::add(ThreadPool& threads, const Columns& rows, std::size_t begin, std::size_t end,
                      std::span<const std::string> more) {
  if (begin == end) return;
  choose_values(rows);
  const std::size_t texts = form_.more.size();
  for (std::size_t next = begin; next < end; next += kRowsBeforeCut) {
    const std::vector<ChosenRow> chosen = choose(rows, next, std::min(end, next + kRowsBeforeCut));
    std::vector<Printed> pieces((chosen.size() + kPieceRows - 1) / kPieceRows);
    const auto print_piece = [&](std::size_t piece) {
      Printed& out = pieces[piece];
      out.known_from.resize(values_.size(), kNoLimit);
      const std::size_t last = std::min(chosen.size(), (piece + 1) * kPieceRows);
      for (std::size_t k = piece * kPieceRows; k < last; ++k) {
        const auto [row, rank] = chosen[k];
        print(rows, row, rank, texts == 0 ? more : more.subspan((row - begin) * texts, texts), out);
      }
    };
    if (pieces.size() == 1) {
      print_piece(0);
    } else if (pieces.size() > 1) {
      const ThreadPool::Permit permit(threads);
      threads.for_each(pieces.size(), print_piece);
    }
    for (Printed& piece : pieces) keep(piece);
  }
}

// Counts rows [begin, end), and returns those that may be kept.
std::vector<ReportTable::ChosenRow> ReportTable::choose(const Columns& rows, std::size_t begin,
                                                        std::size_t end) {
  const bool local = context_.scoring->mode == Mode::local;
  std::vector<ChosenRow> chosen;
  chosen.reserve(end - begin);
  for (std::size_t row = begin; row < end; ++row) {
    std::uint64_t rank = found_;
    if (form_.by_query) {
      const Place place{rows.query[row], rows.subject[row], rows.hsp.empty() ? 1 : rows.hsp[row]};
      std::uint32_t& hits = hits_[place.query];
      // The rows of a hit follow each other, by ascending numbers. Its first row may have been filtered out.
      const bool same_hit =
          hits > 0 && place.query == last_.query && place.subject == last_.subject && place.hsp > last_.hsp;
      if (!same_hit) ++hits;
      last_ = place;
      rank = hits - 1;
    } else if (form_.has_scores && local && rows.score[row] == 0) {
      continue;  // nothing is aligned: tables have no such row either
    }
    ++found_;
    ranks_ = std::max(ranks_, rank + 1);
    if (rank < limit_) chosen.push_back({row, rank});
  }
  return chosen;
}

void ReportTable::print(const Columns& rows, std::size_t number, std::uint64_t rank,
                        std::span<const std::string> more, Printed& out) const {
  const alnus::Row row = rows.row(number);
  const SequenceView query = sides_.queries[row.query], subject = sides_.subjects[row.subject];
  const TableLine line{context_, query, subject, row, row.counts.value_or(AlignmentCounts{}), 0};
  Text text;
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Value& value = values_[k];
    const std::size_t before = out.text.size();
    if (value.source == Source::given) {
      out.text += more[k].empty() ? "null" : as_json(more[k]);
    } else if (value.source == Source::strand) {
      out.text += row.strand == Strand::minus ? '1' : '0';
    } else if (row.query_end < 0 && value.column->needed != Detail::score) {
      out.text += "null";
    } else {
      text.clear();
      value.column->print(text, line);
      append_value(out.text, view(text), value.is_text);
    }
    if (std::string_view(out.text).substr(before) != "null")
      out.known_from[k] = std::min(out.known_from[k], rank);
    out.text += kCellEnd;
  }
  if (cigars_) {
    if (row.query_end < 0) {
      out.text += "null";
    } else {
      out.text += '"';
      append_gaps_only(out.text, AlongQuery(subject, row).row().cigar);
      out.text += '"';
    }
    out.text += kCellEnd;
  }
  const bool aligns = cigars_ && aligns_something(row) && row.subject_begin >= 0;
  out.rows.push_back({row.query, row.subject, rank, aligns ? row.subject_begin : 0,
                      aligns ? row.subject_end : 0, out.text.size()});
}

void ReportTable::keep(Printed& piece) {
  for (std::size_t k = 0; k < values_.size(); ++k)
    values_[k].known_from = std::min(values_[k].known_from, piece.known_from[k]);
  std::uint64_t begin = 0;
  for (Row& row : piece.rows) {
    const std::uint64_t end = row.text_end, bytes = end - begin + sizeof(Row);
    if (row.rank < limit_) {
      if (!form_.by_query && !rows_.empty() && this->bytes() + bytes > most_bytes_) {
        limit_ = row.rank;
      } else {
        if (form_.by_query) {
          if (row.rank >= bytes_of_rank_.size()) bytes_of_rank_.resize(row.rank + 1);
          bytes_of_rank_[row.rank] += bytes;
        }
        text_.append(piece.text, begin, end - begin);
        row.text_end = text_.size();
        rows_.push_back(row);
      }
    }
    begin = end;
  }
  piece = {};
  if (form_.by_query && this->bytes() > most_bytes_ + most_bytes_ / 4) cut();
}

// Drops rows of high ranks, so that those which stay take at most most_bytes_. Rank 0 always stays.
void ReportTable::cut() {
  std::uint64_t sum = 0, limit = 0;
  while (limit < bytes_of_rank_.size() && (limit == 0 || sum + bytes_of_rank_[limit] <= most_bytes_))
    sum += bytes_of_rank_[limit++];
  if (limit == bytes_of_rank_.size()) return;
  limit_ = limit;
  bytes_of_rank_.resize(limit);
  std::string text;
  text.reserve(sum);
  std::size_t kept = 0;
  std::uint64_t begin = 0;
  for (const Row& row : rows_) {
    const std::uint64_t end = row.text_end;
    if (row.rank < limit) {
      text.append(text_, begin, end - begin);
      Row& place = rows_[kept++];
      place = row;
      place.text_end = text.size();
    }
    begin = end;
  }
  rows_.resize(kept);
  text_ = std::move(text);
}

void ReportTable::settle() {
  if (form_.by_query && bytes() > most_bytes_) cut();
}

std::uint64_t ReportTable::bytes() const { return text_.size() + rows_.size() * sizeof(Row); }

std::vector<std::string_view> ReportTable::columns() const {
  std::vector<std::string_view> names;
  for (const Value& value : values_)
    if (is_known(value)) names.emplace_back(value.name);
  return names;
}

std::string_view ReportTable::text_of(std::size_t row) const {
  const std::uint64_t begin = row == 0 ? 0 : rows_[row - 1].text_end;
  return std::string_view(text_).substr(begin, rows_[row].text_end - begin);
}

std::string_view ReportTable::value(std::size_t row, std::string_view column) const {
  std::string_view text = text_of(row);
  for (const Value& value : values_) {
    const std::size_t end = text.find(kCellEnd);
    if (value.name == column) return text.substr(0, end);
    text.remove_prefix(end + 1);
  }
  return "null";
}

std::string ReportTable::rows_json(std::span<const std::uint32_t> numbers,
                                   std::span<const SequenceSet::Index> queries,
                                   std::span<const SequenceSet::Index> subjects) const {
  std::vector<std::string> arrays(values_.size());
  std::string of_queries, of_subjects;
  for (const std::uint32_t number : numbers) {
    std::string_view text = text_of(number);
    for (std::string& array : arrays) {
      const std::size_t end = text.find(kCellEnd);
      array.append(text.substr(0, end)).append(1, ',');
      text.remove_prefix(end + 1);
    }
    if (!form_.by_query) fmt::format_to(std::back_inserter(of_queries), "{},", queries[rows_[number].query]);
    fmt::format_to(std::back_inserter(of_subjects), "{},", subjects[rows_[number].subject]);
  }
  std::string json;
  const auto add_array = [&](std::string_view name, std::string& array) {
    if (!array.empty()) array.pop_back();  // the last comma
    json += fmt::format("{}\"{}\":[{}]", json.empty() ? "{" : ",", name, array);
  };
  if (!form_.by_query) add_array("query", of_queries);
  add_array("subject", of_subjects);
  for (std::size_t k = 0; k < values_.size(); ++k)
    if (is_known(values_[k])) add_array(values_[k].name, arrays[k]);
  return json + "}";
}

std::string ReportTable::gaps_json(std::span<const std::uint32_t> numbers) const {
  std::string json = R"({"cigar":[)";
  for (const std::uint32_t number : numbers) {
    std::string_view text = text_of(number);
    text.remove_suffix(1);
    const std::size_t before = text.rfind(kCellEnd);  // npos + 1 is 0
    json.append(text.substr(before + 1)).append(1, ',');
  }
  if (!numbers.empty()) json.pop_back();
  return json + "]}";
}

}  // namespace alnus::io
