// The report that blastp and blastn print by default (their -outfmt 0).
#include <algorithm>

#include "alnus/text.h"
#include "io/aligned_rows.h"
#include "io/along_query.h"
#include "io/writers.h"
#include "stats/karlin.h"

namespace alnus::io {
namespace {

constexpr std::size_t kColumns = 60;      // letters in one row of an alignment
constexpr std::size_t kLine = 68;         // letters in a line of the query's title, and of the hit list
constexpr std::size_t kSubjectLine = 60;  // letters of a subject's title, which then breaks at the next blank

// Breaks lines at the last blank that fits; a word that is longer than a line is cut.
void append_wrapped(Text& text, std::string_view words) {
  while (words.size() > kLine) {
    const std::size_t blank = words.rfind(' ', kLine);
    const bool has_blank = blank != words.npos && blank > 0;
    append(text, words.substr(0, has_blank ? blank : kLine));
    append(text, '\n');
    words.remove_prefix(has_blank ? blank + 1 : kLine);
  }
  append(text, words);
}

void append_subject_title(Text& text, std::string_view title) {
  bool is_due = false;
  for (std::size_t i = 0; i < title.size(); ++i) {
    is_due |= i > 0 && i % kSubjectLine == 0;
    append(text, title[i]);
    if (is_due && title[i] == ' ') {
      append(text, '\n');
      is_due = false;
    }
  }
}

std::string bits_text(const Row& row) {
  Text text;
  append_bits(text, row.significance.bits);
  return std::string(view(text));
}
std::string evalue_text(const Row& row) {
  Text text;
  append_evalue(text, row.significance.evalue, NumberStyle::report);
  return std::string(view(text));
}

class PairwiseWriter final : public Writer {
 public:
  explicit PairwiseWriter(const ReportContext& context)
      : Writer(context), is_dna_(context.scoring->matrix.alphabet() == AlphabetKind::dna) {}

  void begin(OutputFile&) override {
    fmt::format_to(fmt::appender(text()), "{}\n\n\n", blast_program_name(context()));
    append_wrapped(text(), fmt::format("Reference: {}", reference_of(context().scoring->mode)));
    fmt::format_to(fmt::appender(text()), "\n\n\n\nDatabase: {}\n           ", context().database_name);
    append(text(), format_count(context().database_sequences));
    append(text(), " sequences; ");
    append(text(), format_count(context().database_residues));
    append(text(), " total letters\n\n\n\n");
  }

  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    if (begin == 0) write_query(answer);
    for (std::size_t i = begin; i < end; ++i) {
      const SequenceView subject = (*context().subjects)[answer.rows.subject(i)];
      if (answer.rows.begins_hit(i)) write_subject(subject);
      write_alignment(answer.query, subject, answer.rows[i]);
    }
    if (end < answer.rows.size()) return;
    if (answer.statistics != nullptr && answer.statistics->karlin)
      write_parameters(answer.query, *answer.statistics->karlin);
    append(text(), '\n');
  }

  void end(std::uint64_t) override {
    const Scoring& scoring = *context().scoring;
    fmt::format_to(fmt::appender(text()),
                   "  Database: {}\n  Number of letters in database: ", context().database_name);
    append(text(), format_count(context().database_residues));
    append(text(), "\n  Number of sequences in database:  ");
    append(text(), format_count(context().database_sequences));
    fmt::format_to(fmt::appender(text()), "\n\n\n\nMatrix: {}\nGap Penalties: Existence: {}, Extension: {}\n",
                   scoring.matrix.name(), scoring.format_score(scoring.open),
                   scoring.format_score(scoring.extend));
  }

 private:
  // Writes what stands above a query's hits. BLAST's report has no line of statistics; it stands here because
  // BioPerl takes every line below a hit for a row of the hit's alignment.
  void write_query(const Answer& answer) {
    append(text(), "Query= ");
    append_wrapped(text(), answer.query.header);
    fmt::format_to(fmt::appender(text()), "\n\nLength={}\n", answer.query.size());
    const std::string& statistics = answer.statistics ? answer.statistics->description : context().statistics;
    if (!statistics.empty()) fmt::format_to(fmt::appender(text()), "Statistics: {}\n", statistics);
    if (answer.rows.empty())
      append(text(), "\n\n***** No hits found *****\n\n\n");
    else
      write_hit_list(answer.rows);
  }

  // Writes a line for each hit, with the numbers of its first row.
  void write_hit_list(const Rows& rows) {
    const auto out = fmt::appender(text());
    fmt::format_to(out, "{:70}Score     E\n{:69}(Bits)  Value\n\n", "",
                   "Sequences producing significant alignments:");
    std::size_t evalue_width = 5;
    for (std::size_t i = 0; i < rows.size(); i = rows.hit_end(i))
      evalue_width = std::max(evalue_width, evalue_text(rows[i]).size());
    for (std::size_t i = 0; i < rows.size(); i = rows.hit_end(i)) {
      const Row row = rows[i];
      const std::string_view header = (*context().subjects)[row.subject].header;
      std::string title(header.substr(0, kLine));
      if (header.size() > kLine) title.replace(kLine - 3, 3, "...");
      fmt::format_to(out, "{:{}}{:6}  {:{}}\n", title, kLine + 2, bits_text(row), evalue_text(row),
                     evalue_width);
    }
    append(text(), "\n\n");
  }

  void write_subject(const SequenceView& subject) {
    append(text(), '>');
    append_subject_title(text(), subject.header);
    fmt::format_to(fmt::appender(text()), "\nLength={}\n\n", subject.size());
  }

  void write_alignment(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const auto out = fmt::appender(text());
    const Scoring& scoring = *context().scoring;
    fmt::format_to(out, " Score = {} bits ({}),  Expect = {}\n", bits_text(row),
                   scoring.format_score(row.score), evalue_text(row));
    const AlignmentCounts counts = counts_of(query, subject, row, scoring);
    const auto share = [&](std::string_view label, int part) {
      fmt::format_to(out, "{} = {}/{} ({}%)", label, part, counts.columns,
                     percent_of_matches(part, counts.columns));
    };
    share(" Identities", counts.identical);
    if (!is_dna_) share(", Positives", counts.positive);
    share(", Gaps", counts.gap_residues);
    if (is_dna_)
      append(text(), row.strand == Strand::plus ? "\n Strand=Plus/Plus\n\n" : "\n Strand=Plus/Minus\n\n");
    else
      append(text(), "\n\n");
    write_rows(aligned_rows(query, subject, row, scoring.matrix, is_dna_ ? kBlastnMarkup : kBlastpMarkup),
               row.query_begin + 1, subject_range(row).start, row.strand);
    append(text(), '\n');
  }

  struct NumberedLine {
    std::string_view letters;
    std::int64_t start, end;  // from 1, inclusive
    bool numbered;            // false for a row of gaps, which shows no numbers
  };

  // Cuts letters into rows. The numbers rise on the plus strand and fall on the minus strand.
  static std::vector<NumberedLine> cut(std::string_view letters, std::int64_t start, Strand strand) {
    std::vector<NumberedLine> rows;
    const std::int64_t step = strand == Strand::plus ? 1 : -1;
    for (std::size_t column = 0; column < letters.size(); column += kColumns) {
      const std::string_view part = letters.substr(column, kColumns);
      const auto residues = static_cast<std::int64_t>(residues_in(part));
      const std::int64_t next = start + step * residues;
      rows.push_back({part, start, next - step, residues > 0});
      start = next;
    }
    return rows;
  }

  void write_rows(const AlignedRows& aligned, std::int64_t query_start, std::int64_t subject_start,
                  Strand strand) {
    if (aligned.markup.empty()) return;
    const std::vector<NumberedLine> query = cut(aligned.query, query_start, Strand::plus);
    const std::vector<NumberedLine> subject = cut(aligned.subject, subject_start, strand);
    // The numbers have BLAST's width: that of the larger end, counted from 0.
    const std::int64_t last = std::max({query.back().end, subject.back().end, subject.front().start});
    const std::size_t widest = fmt::formatted_size("{}", last > 0 ? last - 1 : 0);
    for (std::size_t i = 0; i < query.size(); ++i) {
      write_row("Query", query[i], widest);
      append_repeated(text(), 9 + widest, ' ');
      append(text(), std::string_view(aligned.markup).substr(i * kColumns, kColumns));
      append(text(), '\n');
      write_row("Sbjct", subject[i], widest);
      append(text(), '\n');
    }
  }

  void write_row(std::string_view label, const NumberedLine& line, std::size_t widest) {
    const auto out = fmt::appender(text());
    if (!line.numbered)
      fmt::format_to(out, "{}  {:{}}  {}  \n", label, "", widest, line.letters);
    else
      fmt::format_to(out, "{}  {:<{}}  {}  {}\n", label, line.start, widest, line.letters, line.end);
  }

  // Writes the parameters of ungapped and of gapped alignments, as BLAST does below each query's hits.
  void write_parameters(const SequenceView& query, const QueryStatistics::Karlin& gapped) {
    const auto write = [&](double lambda, double K, double H) {
      fmt::format_to(fmt::appender(text()), "Lambda      K        H\n{:#8.3g} {:#8.3g} {:#8.3g} \n\n", lambda,
                     K, H);
    };
    append(text(), '\n');
    if (const auto ungapped = stats::ungapped_parameters(query.residues, *context().scoring))
      write(ungapped->lambda, ungapped->K, ungapped->H);
    append(text(), "Gapped\n");
    write(gapped.lambda, gapped.K, gapped.H);
    fmt::format_to(fmt::appender(text()), "Effective search space used: {:.0f}\n\n", gapped.search_space);
  }

  const bool is_dna_;
};

}  // namespace

std::unique_ptr<Writer> make_pairwise_writer(const ReportContext& context) {
  return std::make_unique<PairwiseWriter>(context);
}

}  // namespace alnus::io
