// Tables: BLAST's formats 6 (tab-separated), 7 (with comment lines) and 10 (CSV).
#include <algorithm>
#include <utility>
#include <vector>

#include "io/columns.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

// Returns how many residues of the query the rows from `begin` up to before `end` cover together.
std::int64_t covered_residues(const Rows& rows, std::size_t begin, std::size_t end) {
  std::vector<std::pair<std::int32_t, std::int32_t>> ranges;
  for (std::size_t i = begin; i < end; ++i) {
    const Row row = rows[i];
    ranges.emplace_back(row.query_begin, row.query_end);
  }
  std::ranges::sort(ranges);
  std::int64_t covered = 0;
  std::int32_t reached = 0;
  for (const auto& [from, to] : ranges) {
    covered += std::max(0, to - std::max(from, reached));
    reached = std::max(reached, to);
  }
  return covered;
}

class TabularWriter final : public Writer {
 public:
  TabularWriter(const OutputFormat& format, const ReportContext& context)
      : Writer(context), kind_(format.kind), header_(format.header) {
    for (const std::string& name : format.columns) {
      columns_.push_back(find_column(name));
      needs_counts_ |= columns_.back()->needs == Column::Needs::counts;
      needs_covered_ |= columns_.back()->needs == Column::Needs::whole_hit;
    }
    needs_counts_ &= context.detail == Detail::alignment;
    needs_covered_ &= context.detail == Detail::alignment;
  }

  void begin(OutputFile&) override {
    if (!header_) return;
    write_columns(&Column::name, kind_ == OutputFormat::Kind::csv ? "," : "\t");
    append(text(), '\n');
  }

  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    if (begin == 0 && kind_ == OutputFormat::Kind::tabular_comments) write_comments(answer);
    std::int64_t covered = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (needs_covered_ && answer.rows.begins_hit(i))
        covered = covered_residues(answer.rows, i, answer.rows.hit_end(i));
      write_row(answer.query, answer.rows[i], covered);
    }
  }

  void end(std::uint64_t answers) override {
    if (kind_ == OutputFormat::Kind::tabular_comments)
      fmt::format_to(fmt::appender(text()), "# BLAST processed {} queries\n", answers);
  }

 private:
  void write_columns(std::string_view Column::*field, std::string_view separator) {
    for (std::size_t place = 0; place < columns_.size(); ++place) {
      if (place > 0) append(text(), separator);
      append(text(), columns_[place]->*field);
    }
  }

  // Writes the lines that BLAST prints before each query's rows, and a line that says where E-values come
  // from. As in BLAST, "hits found" counts rows, so that parsers know how many lines follow.
  void write_comments(const Answer& answer) {
    const std::string_view header = answer.query.header;
    fmt::format_to(fmt::appender(text()), "# {}\n", blast_program_name(context()));
    write_comment("# Query: ", header.empty() ? kNotAvailable : header);
    write_comment("# Database: ", context().database_name);
    write_statistics(answer.statistics ? answer.statistics->description : context().statistics);
    if (!answer.rows.empty()) {
      append(text(), "# Fields: ");
      write_columns(&Column::title, ", ");
      append(text(), '\n');
    }
    fmt::format_to(fmt::appender(text()), "# {} hits found\n", answer.rows.size());
  }

  void write_comment(std::string_view label, std::string_view value) {
    append(text(), label);
    const std::size_t begin = text().size();
    append(text(), value);
    replace_separators(text(), begin);
    append(text(), '\n');
  }

  // Writes the statistics on a line of their own. Parsers of BLAST's comments skip a line whose label they do
  // not know, unless a second colon follows; colons are therefore replaced.
  void write_statistics(std::string_view description) {
    if (description.empty()) return;
    append(text(), "# Statistics: ");
    for (const char letter : description) append(text(), letter == ':' ? ',' : letter);
    append(text(), '\n');
  }

  void write_row(const SequenceView& query, const Row& row, std::int64_t covered) {
    TableLine line{context(), query, (*context().subjects)[row.subject], row, {}, covered};
    if (needs_counts_) line.counts = counts_of(query, line.subject, row, *context().scoring);
    const bool csv = kind_ == OutputFormat::Kind::csv;
    for (std::size_t place = 0; place < columns_.size(); ++place) {
      const Column* const column = columns_[place];
      if (place > 0) append(text(), csv ? ',' : '\t');
      const std::size_t begin = text().size();
      if (context().detail < column->needed)
        append(text(), kNotAvailable);
      else
        column->print(text(), line);
      if (!column->is_text) continue;
      if (csv)
        quote_for_csv(text(), begin);
      else
        replace_separators(text(), begin);
    }
    append(text(), '\n');
  }

  OutputFormat::Kind kind_;
  bool header_;
  std::vector<const Column*> columns_;  // in the order of the table; a column may come several times
  bool needs_counts_ = false, needs_covered_ = false;
};

}  // namespace

std::unique_ptr<Writer> make_tabular_writer(const OutputFormat& format, const ReportContext& context) {
  return std::make_unique<TabularWriter>(format, context);
}

}  // namespace alnus::io
