// The report that blastp and blastn print by default (their -outfmt 0).
#include <algorithm>

#include "io/aligned_rows.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

constexpr std::size_t kColumns = 60;      // of an alignment's row
constexpr std::size_t kLine = 68;         // of the query's title, and of a line of the hit list
constexpr std::size_t kSubjectLine = 60;  // a subject's title breaks at the first blank after it

// Greedy, at blanks; a word that is longer than a line is cut.
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

std::string bits_text(const Hit& hit) {
  Text text;
  append_bits(text, hit.significance.bits);
  return std::string(view(text));
}
std::string evalue_text(const Hit& hit) {
  Text text;
  append_evalue(text, hit.significance.evalue, NumberStyle::report);
  return std::string(view(text));
}

class PairwiseWriter final : public TextWriter {
 public:
  using TextWriter::TextWriter;

  void begin(const ReportContext& context) override {
    require_alignments(context, "0 (pairwise)");
    context_ = context;
    is_dna_ = context.scoring->matrix.alphabet() == AlphabetKind::dna;
    std::string program = program_name(context);
    std::replace(program.begin(), program.end(), ' ', '-');
    fmt::format_to(fmt::appender(text()), "{} {}\n\n\n", is_dna_ ? "BLASTN" : "BLASTP", program);
    append(text(), context.scoring->mode == Mode::local
                       ? "Reference: Temple F. Smith and Michael S. Waterman (1981),\n"
                         "\"Identification of common molecular subsequences\", J. Mol. Biol.\n"
                         "147:195-197.\n\n\n\n"
                       : "Reference: Saul B. Needleman and Christian D. Wunsch (1970), \"A\n"
                         "general method applicable to the search for similarities in the\n"
                         "amino acid sequence of two proteins\", J. Mol. Biol. 48:443-453.\n\n\n\n");
    fmt::format_to(fmt::appender(text()), "Database: {}\n           ", context.database_name);
    append_grouped(text(), context.database_sequences);
    append(text(), " sequences; ");
    append_grouped(text(), context.database_residues);
    append(text(), " total letters\n\n\n\n");
  }

  void query(const SequenceView& query, std::span<const Hit> hits,
             const stats::QueryStatistics* statistics) override {
    append(text(), "Query= ");
    append_wrapped(text(), query.header);
    fmt::format_to(fmt::appender(text()), "\n\nLength={}\n", query.size());
    if (hits.empty()) {
      append(text(), "\n\n***** No hits found *****\n\n\n");
    } else {
      write_hit_list(hits);
      for (const Hit& hit : hits) {
        write_hit(query, hit);
        flush_when_full();
      }
    }
    if (statistics != nullptr)
      write_statistics(*statistics);
    else if (!context_.statistics.empty())
      fmt::format_to(fmt::appender(text()), "\nStatistics: {}\n\n", context_.statistics);
    append(text(), '\n');
    flush_when_full();
  }

  void end() override {
    const Scoring& scoring = *context_.scoring;
    fmt::format_to(fmt::appender(text()),
                   "  Database: {}\n  Number of letters in database: ", context_.database_name);
    append_grouped(text(), context_.database_residues);
    append(text(), "\n  Number of sequences in database:  ");
    append_grouped(text(), context_.database_sequences);
    fmt::format_to(fmt::appender(text()), "\n\n\n\nMatrix: {}\nGap Penalties: Existence: {}, Extension: {}\n",
                   scoring.matrix.name(), scoring.format_score(scoring.open),
                   scoring.format_score(scoring.extend));
    flush();
  }

 private:
  void write_hit_list(std::span<const Hit> hits) {
    const auto out = fmt::appender(text());
    fmt::format_to(out, "{:70}Score     E\n{:69}(Bits)  Value\n\n", "",
                   "Sequences producing significant alignments:");
    std::size_t evalue_width = 5;
    for (const Hit& hit : hits) evalue_width = std::max(evalue_width, evalue_text(hit).size());
    for (const Hit& hit : hits) {
      std::string title(hit.subject.header.substr(0, kLine));
      if (hit.subject.header.size() > kLine) title.replace(kLine - 3, 3, "...");
      fmt::format_to(out, "{:{}}{:6}  {:{}}\n", title, kLine + 2, bits_text(hit), evalue_text(hit),
                     evalue_width);
      flush_when_full();
    }
    append(text(), "\n\n");
  }

  void write_hit(const SequenceView& query, const Hit& hit) {
    const auto out = fmt::appender(text());
    const Scoring& scoring = *context_.scoring;
    append(text(), '>');
    append_subject_title(text(), hit.subject.header);
    fmt::format_to(out, "\nLength={}\n\n Score = {} bits ({}),  Expect = {}\n", hit.subject.size(),
                   bits_text(hit), scoring.format_score(hit.alignment.score), evalue_text(hit));
    const AlignmentCounts counts = counts_of(query, hit, scoring);
    const auto share = [&](std::string_view label, int part) {
      fmt::format_to(out, "{} = {}/{} ({}%)", label, part, counts.columns,
                     percent_of_matches(part, counts.columns));
    };
    share(" Identities", counts.identical);
    if (!is_dna_) share(", Positives", counts.positive);
    share(", Gaps", counts.gap_residues);
    append(text(), is_dna_ ? "\n Strand=Plus/Plus\n\n" : "\n\n");
    write_rows(aligned_rows(query, hit.subject, hit.alignment, scoring.matrix,
                            is_dna_ ? kBlastnMarkup : kBlastpMarkup),
               static_cast<std::size_t>(hit.alignment.query_begin),
               static_cast<std::size_t>(hit.alignment.subject_begin));
    append(text(), '\n');
  }

  struct Row {
    std::string_view letters;
    std::size_t start, end;  // 1-based, inclusive; end < start: a row of gaps, which has no numbers
  };

  static std::vector<Row> cut(std::string_view letters, std::size_t begin) {
    std::vector<Row> rows;
    for (std::size_t column = 0; column < letters.size(); column += kColumns) {
      const std::string_view part = letters.substr(column, kColumns);
      const std::size_t end = begin + residues_in(part);
      rows.push_back({part, begin + 1, end});
      begin = end;
    }
    return rows;
  }

  void write_rows(const AlignedRows& aligned, std::size_t query_begin, std::size_t subject_begin) {
    if (aligned.markup.empty()) return;
    const std::vector<Row> query = cut(aligned.query, query_begin);
    const std::vector<Row> subject = cut(aligned.subject, subject_begin);
    // BLAST's width for the numbers: that of the larger end, counted from 0.
    const std::size_t last = std::max(query.back().end, subject.back().end);
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

  void write_row(std::string_view label, const Row& row, std::size_t widest) {
    const auto out = fmt::appender(text());
    if (row.end < row.start)
      fmt::format_to(out, "{}  {:{}}  {}  \n", label, "", widest, row.letters);
    else
      fmt::format_to(out, "{}  {:<{}}  {}  {}\n", label, row.start, widest, row.letters, row.end);
  }

  void write_statistics(const stats::QueryStatistics& statistics) {
    const auto out = fmt::appender(text());
    if (const auto karlin = statistics.karlin())
      fmt::format_to(out,
                     "\nGapped\nLambda      K        H\n{:#8.3g} {:#8.3g} {:#8.3g} \n\n"
                     "Effective search space used: {:.0f}\n",
                     karlin->parameters.lambda, karlin->parameters.K, karlin->parameters.H,
                     karlin->search_space);
    fmt::format_to(out, "\nStatistics: {}\n\n", stats::describe(statistics));
  }

  ReportContext context_;
  bool is_dna_ = false;
};

}  // namespace

std::unique_ptr<Writer> make_pairwise_writer(OutputFile& out) {
  return std::make_unique<PairwiseWriter>(out);
}

}  // namespace alnus::io
