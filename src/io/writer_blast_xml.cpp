// BLAST's XML (its -outfmt 5), by NCBI's document type NCBI_BlastOutput.dtd. The division into lines is
// BLAST's, too, because some programs that read the format look at lines.
#include <algorithm>
#include <cmath>
#include <fmt/compile.h>
#include <limits>

#include "alnus/devices.h"
#include "io/aligned_rows.h"
#include "io/along_query.h"
#include "io/writers.h"
#include "io/xml_text.h"

namespace alnus::io {
namespace {

// BLAST's text for an empty title.
constexpr std::string_view kNoTitle = "No definition line";

class BlastXmlWriter final : public Writer {
 public:
  explicit BlastXmlWriter(const ReportContext& context)
      : Writer(context), is_dna_(context.scoring->matrix.alphabet() == AlphabetKind::dna) {}

  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    if (begin == 0) {
      if (answer.number == 0) write_head(answer.query);
      open(0, "Iteration");
      element(2, "Iteration_iter-num", answer.number + 1);
      write_query("Iteration", answer.query, answer.number);
      open(0, "Iteration_hits");
    }
    std::size_t number = answer.rows.hits_before(begin);
    for (std::size_t i = begin; i < end; i = answer.rows.hit_end(i))
      write_hit(++number, answer, i, answer.rows.hit_end(i));
    if (end < answer.rows.size()) return;
    close(0, "Iteration_hits");
    if (answer.statistics != nullptr && answer.statistics->karlin)
      write_statistics(*answer.statistics->karlin);
    if (answer.rows.empty()) element(2, "Iteration_message", std::string_view("No hits found"));
    close(0, "Iteration");
  }

  void end(std::uint64_t answers) override {
    if (answers == 0) write_head({});
    close(0, "BlastOutput_iterations");
    close(0, "BlastOutput");
  }

 private:
  void open(std::size_t indent, std::string_view name) {
    append_repeated(text(), indent, ' ');
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("<{}>\n"), name);
  }
  void close(std::size_t indent, std::string_view name) {
    append_repeated(text(), indent, ' ');
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("</{}>\n"), name);
  }
  // Writes an element on a line of its own, with what `value` appends.
  void element_with(std::size_t indent, std::string_view name, const auto& value) {
    append_repeated(text(), indent, ' ');
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("<{}>"), name);
    value();
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("</{}>\n"), name);
  }
  void element(std::size_t indent, std::string_view name, std::string_view value) {
    element_with(indent, name, [&] { append_xml(text(), value); });
  }
  void element(std::size_t indent, std::string_view name, std::integral auto value) {
    element_with(indent, name, [&] { append(text(), value); });
  }
  // Writes a number as XML Schema has it: NaN for an unknown number, INF for an infinite one.
  void element(std::size_t indent, std::string_view name, double value) {
    element_with(indent, name, [&] {
      if (std::isfinite(value))
        fmt::format_to(fmt::appender(text()), FMT_COMPILE("{}"), value);
      else
        append(text(), std::isnan(value) ? "NaN" : "INF");
    });
  }

  // Writes the head, which names the first query and is therefore written with that query.
  void write_head(const SequenceView& first_query) {
    ReportContext versioned = context();
    if (versioned.version.empty()) versioned.version = version();
    append(text(),
           "<?xml version=\"1.0\"?>\n<!DOCTYPE BlastOutput PUBLIC \"-//NCBI//NCBI BlastOutput/EN\" "
           "\"http://www.ncbi.nlm.nih.gov/dtd/NCBI_BlastOutput.dtd\">\n");
    open(0, "BlastOutput");
    element(2, "BlastOutput_program", std::string_view(is_dna_ ? "blastn" : "blastp"));
    element(2, "BlastOutput_version", blast_program_name(versioned));
    element(2, "BlastOutput_reference", reference_of(context().scoring->mode));
    element(2, "BlastOutput_db", context().database_name);
    write_query("BlastOutput", first_query, 0);
    open(2, "BlastOutput_param");
    open(4, "Parameters");
    write_parameters();
    close(4, "Parameters");
    close(2, "BlastOutput_param");
    open(0, "BlastOutput_iterations");
  }

  void write_parameters() {
    const Scoring& scoring = *context().scoring;
    const Alphabet& alphabet = Alphabet::of(scoring.matrix.alphabet());
    const auto score = [&](char a, char b) {
      return scoring.matrix.value(alphabet.encode(a), alphabet.encode(b));
    };
    const std::int32_t match = score('A', 'A'), mismatch = score('A', 'C');
    const bool has_matrix = !is_dna_ || scoring.matrix.name() != fmt::format("{}/{}", match, mismatch);
    if (has_matrix) element(6, "Parameters_matrix", scoring.matrix.name());
    element(6, "Parameters_expect", context().max_evalue.value_or(std::numeric_limits<double>::infinity()));
    if (!has_matrix) {
      element(6, "Parameters_sc-match", match);
      element(6, "Parameters_sc-mismatch", mismatch);
    }
    element(6, "Parameters_gap-open", scoring.open);
    element(6, "Parameters_gap-extend", scoring.extend);
  }

  // BLAST's ids of queries are numbers. The record's own id is the first word of the query's definition.
  void write_query(const std::string& of, const SequenceView& query, std::uint64_t number) {
    element(2, of + "_query-ID", fmt::format("Query_{}", number + 1));
    element(2, of + "_query-def", query.header.empty() ? kNotAvailable : query.header);
    element(2, of + "_query-len", query.size());
  }

  // Writes the hit that has the rows from `begin` up to before `end`.
  void write_hit(std::size_t number, const Answer& answer, std::size_t begin, std::size_t end) {
    const SequenceView subject = (*context().subjects)[answer.rows.subject(begin)];
    const std::string_view id = subject.id().empty() ? kNotAvailable : subject.id();
    open(0, "Hit");
    element(2, "Hit_num", number);
    element(2, "Hit_id", id);
    element(2, "Hit_def", subject.title().empty() ? kNoTitle : subject.title());
    element(2, "Hit_accession", id);
    element(2, "Hit_len", subject.size());
    open(2, "Hit_hsps");
    for (std::size_t i = begin; i < end; ++i)
      write_alignment(i - begin + 1, answer.query, subject, answer.rows[i]);
    close(2, "Hit_hsps");
    close(0, "Hit");
  }

  void write_alignment(std::size_t number, const SequenceView& query, const SequenceView& subject,
                       const Row& row) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const Scoring& scoring = *context().scoring;
    open(4, "Hsp");
    element(6, "Hsp_num", number);
    element(6, "Hsp_bit-score", row.significance.bits.value_or(kUnknown));
    element(6, "Hsp_score", row.score);
    element(6, "Hsp_evalue", row.significance.evalue.value_or(kUnknown));
    write_place(row);
    const AlignmentCounts counts = counts_of(query, subject, row, scoring);
    element(6, "Hsp_identity", counts.identical);
    element(6, "Hsp_positive", is_dna_ ? counts.identical : counts.positive);
    element(6, "Hsp_gaps", counts.gap_residues);
    element(6, "Hsp_align-len", counts.columns);
    const AlignedRows rows =
        aligned_rows(query, subject, row, scoring.matrix, is_dna_ ? kBlastnMarkup : kBlastpMarkup);
    element(6, "Hsp_qseq", rows.query);
    element(6, "Hsp_hseq", rows.subject);
    element(6, "Hsp_midline", rows.markup);
    close(4, "Hsp");
  }

  // Writes coordinates, which count from 1 and are inclusive. On the minus strand the hit's first residue is
  // above its last. The frames say the strand: 1 or -1 for nucleotides, 0 for proteins.
  void write_place(const Row& row) {
    const int frame = is_dna_ ? 1 : 0;
    const SubjectRange hit = subject_range(row);
    element(6, "Hsp_query-from", row.query_begin + 1);
    element(6, "Hsp_query-to", row.query_end);
    element(6, "Hsp_hit-from", hit.start);
    element(6, "Hsp_hit-to", hit.end);
    element(6, "Hsp_query-frame", frame);
    element(6, "Hsp_hit-frame", row.strand == Strand::minus ? -frame : frame);
  }

  void write_statistics(const QueryStatistics::Karlin& karlin) {
    open(2, "Iteration_stat");
    open(4, "Statistics");
    element(6, "Statistics_db-num", context().database_sequences);
    element(6, "Statistics_db-len", context().database_residues);
    element(6, "Statistics_hsp-len", karlin.length_adjustment);
    element(6, "Statistics_eff-space", fmt::format("{:.0f}", karlin.search_space));
    element(6, "Statistics_kappa", karlin.K);
    element(6, "Statistics_lambda", karlin.lambda);
    element(6, "Statistics_entropy", karlin.H);
    close(4, "Statistics");
    close(2, "Iteration_stat");
  }

  const bool is_dna_;
};

}  // namespace

std::unique_ptr<Writer> make_blast_xml_writer(const ReportContext& context) {
  return std::make_unique<BlastXmlWriter>(context);
}

}  // namespace alnus::io
