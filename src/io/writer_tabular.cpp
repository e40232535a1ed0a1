// Tables: BLAST's formats 6 (tab-separated), 7 (with comment lines) and 10 (CSV).
#include <algorithm>

#include "io/columns.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

// A tab or line end in a header would break the table.
void replace_separators(Text& text, std::size_t field_begin) {
  std::replace_if(
      text.begin() + field_begin, text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; },
      ' ');
}

class TabularWriter final : public TextWriter {
 public:
  TabularWriter(const OutputFormat& format, OutputFile& out)
      : TextWriter(out), kind_(format.kind), header_(format.header) {
    for (const std::string& name : format.columns) {
      columns_.push_back(find_column(name));
      needs_counts_ |= columns_.back()->needs == Column::Needs::counts;
    }
  }

  void begin(const ReportContext& context) override {
    context_ = context;
    needs_counts_ &= context.detail == Detail::alignment;
    if (header_) {
      write_columns(&Column::name, kind_ == OutputFormat::Kind::csv ? "," : "\t");
      append(text(), '\n');
    }
  }

  void query(const SequenceView& query, std::span<const Row> rows,
             const QueryStatistics* statistics) override {
    if (kind_ == OutputFormat::Kind::tabular_comments) write_comments(query, rows.size(), statistics);
    for (const Row& row : rows) {
      write_row(query, row);
      flush_when_full();
    }
    flush_when_full();
    ++queries_;
  }

  void end() override {
    if (kind_ == OutputFormat::Kind::tabular_comments)
      fmt::format_to(fmt::appender(text()), "# BLAST processed {} queries\n", queries_);
    flush();
  }

 private:
  void write_columns(std::string_view Column::*field, std::string_view separator) {
    for (const Column* column : columns_) {
      if (column != columns_.front()) append(text(), separator);
      append(text(), column->*field);
    }
  }

  // The lines that BLAST prints before each query's rows, and one of where E-values come from.
  void write_comments(const SequenceView& query, std::size_t hits, const QueryStatistics* statistics) {
    fmt::format_to(fmt::appender(text()), "# {}\n", blast_program_name(context_));
    write_comment("# Query: ", query.header.empty() ? kNotAvailable : query.header);
    write_comment("# Database: ", context_.database_name);
    write_statistics(statistics ? statistics->description : context_.statistics);
    if (hits > 0) {
      append(text(), "# Fields: ");
      write_columns(&Column::title, ", ");
      append(text(), '\n');
    }
    fmt::format_to(fmt::appender(text()), "# {} hits found\n", hits);
  }

  void write_comment(std::string_view label, std::string_view value) {
    append(text(), label);
    const std::size_t begin = text().size();
    append(text(), value);
    replace_separators(text(), begin);
    append(text(), '\n');
  }

  // Parsers of BLAST's comments skip a line whose label they do not know, unless a second colon follows.
  void write_statistics(std::string_view description) {
    if (description.empty()) return;
    append(text(), "# Statistics: ");
    for (const char letter : description) append(text(), letter == ':' ? ',' : letter);
    append(text(), '\n');
  }

  void write_row(const SequenceView& query, const Row& row) {
    TableLine line{context_, query, (*context_.subjects)[row.subject], row, {}};
    if (needs_counts_) line.counts = counts_of(query, line.subject, row, *context_.scoring);
    const bool csv = kind_ == OutputFormat::Kind::csv;
    for (const Column* column : columns_) {
      if (column != columns_.front()) append(text(), csv ? ',' : '\t');
      const std::size_t begin = text().size();
      if (context_.detail < column->needed)
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
  std::vector<const Column*> columns_;
  bool needs_counts_ = false;
  ReportContext context_;
  std::uint64_t queries_ = 0;
};

}  // namespace

std::unique_ptr<Writer> make_tabular_writer(const OutputFormat& format, OutputFile& out) {
  return std::make_unique<TabularWriter>(format, out);
}

}  // namespace alnus::io
