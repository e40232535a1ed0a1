// EMBOSS' format srspair, as needle and water write it.
#include <algorithm>
#include <fmt/compile.h>
#include <span>
#include <vector>

#include "io/aligned_rows.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

constexpr std::size_t kColumns = 50;
constexpr std::string_view kBar = "#=======================================\n";

// EMBOSS writes scores and gap costs with at least one decimal.
std::string with_decimal(const std::string& number) {
  return number.find('.') == number.npos ? number + ".0" : number;
}

class SrspairWriter final : public Writer {
 public:
  explicit SrspairWriter(const ReportContext& context)
      : Writer(context), alphabet_(&Alphabet::of(context.scoring->matrix.alphabet())) {
    const Scoring& scoring = *context.scoring;
    // EMBOSS' gap penalty is that of a gap's first residue.
    penalties_ =
        fmt::format("# Matrix: {}\n# Gap_penalty: {}\n# Extend_penalty: {}\n#\n", scoring.matrix.name(),
                    with_decimal(scoring.format_score(scoring.open + scoring.extend)),
                    with_decimal(scoring.format_score(scoring.extend)));
  }

  void begin(OutputFile&) override {
    const std::string bar(40, '#');
    fmt::format_to(fmt::appender(text()), "{}\n# Program: {}\n", bar, program_name(context()));
    if (!context().command_line.empty())
      fmt::format_to(fmt::appender(text()), "# Commandline: {}\n", context().command_line);
    fmt::format_to(fmt::appender(text()), "# Align_format: srspair\n{}\n\n", bar);
  }

  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    for (std::size_t i = begin; i < end; ++i)
      write_pair(answer.query, (*context().subjects)[answer.rows.subject(i)], answer.rows[i]);
  }

  void end(std::uint64_t) override {
    append(text(), "#---------------------------------------\n#---------------------------------------\n");
  }

 private:
  void write_pair(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const Scoring& scoring = *context().scoring;
    AlignmentCounts counts = counts_of(query, subject, row, scoring);
    AlignedRows aligned = aligned_rows(query, subject, row, scoring.matrix, kEmbossMarkup);
    // If a sequence is shown in reverse, its residue numbers fall.
    const bool reversed = row.strand == Strand::minus;
    Numbers of_query{row.query_begin, 1};
    Numbers of_subject{reversed ? row.subject_end + 1 : row.subject_begin, reversed ? -1 : 1};
    if (scoring.mode != Mode::local) {
      show_overhangs(query, subject, row, aligned, counts);
      of_query.last = 0;
      of_subject.last = reversed ? static_cast<std::int64_t>(subject.size()) + 1 : 0;
    }
    write_head(query, subject, row, counts);
    const std::string query_id = fmt::format("{:13.13}", query.id());
    const std::string subject_id = fmt::format("{:13.13}", subject.id());
    for (std::size_t column = 0; column < aligned.markup.size(); column += kColumns) {
      const auto part = [column](const std::string& letters) {
        return std::string_view(letters).substr(column, kColumns);
      };
      write_row(query_id, part(aligned.query), of_query);
      append_repeated(text(), 21, ' ');
      append(text(), part(aligned.markup));
      append(text(), '\n');
      write_row(subject_id, part(aligned.subject), of_subject);
      append(text(), '\n');
    }
    append(text(), '\n');
  }

  // Shows both sequences whole, as needle does, and counts the unaligned ends as gaps.
  void show_overhangs(const SequenceView& query, const SequenceView& subject, const Row& row,
                      AlignedRows& aligned, AlignmentCounts& counts) const {
    const auto overhang = [&](std::size_t at, std::span<const Residue> query_part,
                              std::span<const Residue> subject_part) {
      const std::size_t length = query_part.size() + subject_part.size();
      aligned.query.insert(at, length, '-');
      aligned.subject.insert(at, length, '-');
      aligned.markup.insert(at, length, ' ');
      const auto decode = [&](Residue residue) { return alphabet_->decode(residue); };
      const auto first = static_cast<std::ptrdiff_t>(at);
      std::transform(query_part.begin(), query_part.end(), aligned.query.begin() + first, decode);
      std::transform(subject_part.begin(), subject_part.end(),
                     aligned.subject.begin() + first + static_cast<std::ptrdiff_t>(query_part.size()),
                     decode);
      counts.columns += static_cast<std::int32_t>(length);
      counts.gap_residues += static_cast<std::int32_t>(length);
    };
    std::span<const Residue> before = subject.residues.first(row.subject_begin);
    std::span<const Residue> after = subject.residues.subspan(row.subject_end);
    std::vector<Residue> reversed_before, reversed_after;
    if (row.strand == Strand::minus) {
      reversed_before = reverse_complement(after);
      reversed_after = reverse_complement(before);
      before = reversed_before;
      after = reversed_after;
    }
    overhang(aligned.markup.size(), query.residues.subspan(row.query_end), after);
    overhang(0, query.residues.first(row.query_begin), before);
  }

  void write_head(const SequenceView& query, const SequenceView& subject, const Row& row,
                  const AlignmentCounts& counts) {
    const auto out = fmt::appender(text());
    fmt::format_to(out, FMT_COMPILE("{}#\n# Aligned_sequences: 2\n# 1: {}\n# 2: {}\n{}# Length: {}\n"), kBar,
                   query.id(), subject.id(), penalties_, counts.columns);
    const auto share = [&](std::string_view label, int part) {
      const double percent = counts.columns > 0 ? 100.0 * part / counts.columns : 0;
      fmt::format_to(out, FMT_COMPILE("# {}{:5}/{} ({:4.1f}%)\n"), label, part, counts.columns, percent);
    };
    share("Identity:   ", counts.identical);
    share("Similarity: ", counts.positive);
    share("Gaps:       ", counts.gap_residues);
    fmt::format_to(out, FMT_COMPILE("# Score: {}\n# \n#\n{}\n"),
                   with_decimal(context().scoring->format_score(row.score)), kBar);
  }

  // How a sequence's residues are numbered along the rows.
  struct Numbers {
    std::int64_t last;  // number of the residue before the row
    std::int64_t step;  // 1 or -1
  };

  // Writes a row. A row of gaps repeats the number before it.
  void write_row(std::string_view id, std::string_view row, Numbers& numbers) {
    const auto residues = static_cast<std::int64_t>(residues_in(row));
    const std::int64_t start = residues > 0 ? numbers.last + numbers.step : numbers.last;
    numbers.last += numbers.step * residues;
    append(text(), id);
    append_right(text(), start, 7);
    append(text(), ' ');
    append(text(), row);
    append_right(text(), numbers.last, 7);
    append(text(), '\n');
  }

  const Alphabet* const alphabet_;
  std::string penalties_;  // lines in the head of every pair
};

}  // namespace

std::unique_ptr<Writer> make_srspair_writer(const ReportContext& context) {
  return std::make_unique<SrspairWriter>(context);
}

}  // namespace alnus::io
