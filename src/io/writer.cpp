#include "io/writer.h"

#include <algorithm>
#include <fmt/format.h>

#include "alnus/error.h"
#include "io/along_query.h"
#include "io/writers.h"

namespace alnus::io {

using Kind = OutputFormat::Kind;

namespace {

void check_header(const OutputFormat& format) {
  if (format.header && format.kind != Kind::tabular && format.kind != Kind::csv)
    throw Error(ErrorKind::input,
                fmt::format("{} is a line of column names above the rows of a table: choose {} 6 or 10.",
                            option("header"), option("outfmt")));
}

}  // namespace

std::int32_t Rows::hsp(std::size_t i) const {
  if (!numbered_) return 1;
  return columns_ != nullptr ? columns_->hsp[begin_ + i] : records_[i].hsp;
}

bool Rows::begins_hit(std::size_t i) const {
  return i == 0 || i >= size_ || subject(i) != subject(i - 1) || hsp(i) <= hsp(i - 1);
}

std::size_t Rows::hit_begin(std::size_t i) const {
  while (!begins_hit(i)) --i;
  return i;
}

std::size_t Rows::hit_end(std::size_t i) const {
  ++i;
  while (!begins_hit(i)) ++i;
  return i;
}

std::size_t Rows::hits_before(std::size_t i) const {
  if (!numbered_) return i;
  std::size_t hits = 0;
  for (std::size_t k = 0; k < i; ++k) hits += begins_hit(k);
  return hits;
}

void check_detail(Kind kind, Detail detail) {
  if (detail == Detail::alignment ||
      (kind != Kind::pairwise && kind != Kind::srspair && kind != Kind::sam && kind != Kind::blast_xml))
    return;
  throw Error(
      ErrorKind::input,
      fmt::format("Output format {} shows alignments, so it needs {} alignment; for less detail choose a "
                  "table ({} 6).",
                  kind == Kind::pairwise    ? "0 (pairwise)"
                  : kind == Kind::blast_xml ? "5 (BLAST XML)"
                  : kind == Kind::srspair   ? "srspair"
                                            : "sam",
                  option("detail"), option("outfmt")));
}

void check_scoring(Kind kind, const Scoring& scoring) {
  if (kind != Kind::blast_xml || scoring.scale == 1) return;
  throw Error(ErrorKind::input,
              fmt::format("Output format 5 (BLAST XML) has whole numbers for scores and gap costs, and this "
                          "scoring ({}, gap costs {}) has decimals; choose {} 0, 6, 7, 10, sam or jsonl.",
                          scoring.matrix.name(), scoring.format_gaps(), option("outfmt")));
}

AlignmentCounts counts_of(const SequenceView& query, const SequenceView& subject, const Row& row,
                          const Scoring& scoring) {
  if (row.counts) return *row.counts;
  const AlongQuery along(subject, row);
  return count(along.row().cigar, query.residues.subspan(static_cast<std::size_t>(row.query_begin)),
               along.subject().residues.subspan(static_cast<std::size_t>(along.row().subject_begin)),
               scoring.matrix);
}

std::string program_name(const ReportContext& context) {
  return context.version.empty() ? "alnus" : "alnus " + context.version;
}

std::string blast_program_name(const ReportContext& context) {
  std::string program = program_name(context);
  std::replace(program.begin(), program.end(), ' ', '-');
  const bool is_dna = context.scoring->matrix.alphabet() == AlphabetKind::dna;
  return fmt::format("{} {}", is_dna ? "BLASTN" : "BLASTP", program);
}

std::string_view reference_of(Mode mode) {
  return mode == Mode::local
             ? "Temple F. Smith and Michael S. Waterman (1981), \"Identification of common molecular "
               "subsequences\", J. Mol. Biol. 147:195-197."
             : "Saul B. Needleman and Christian D. Wunsch (1970), \"A general method applicable to the "
               "search for similarities in the amino acid sequence of two proteins\", J. Mol. Biol. "
               "48:443-453.";
}

void check_format(const OutputFormat& format, const std::string& path, Detail detail,
                  const Scoring& scoring) {
  check_name(path, format.contents());
  check_header(format);
  check_detail(format.kind, detail);
  check_scoring(format.kind, scoring);
}

std::size_t primary_row(const Rows& rows) {
  std::size_t primary = Answer::kNone;
  std::int32_t best = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row row = rows[i];
    if (!aligns_something(row) || (primary != Answer::kNone && row.score <= best)) continue;
    primary = i;
    best = row.score;
  }
  return primary;
}

void Writer::begin(OutputFile&) {}
void Writer::end(std::uint64_t) {}

std::unique_ptr<Writer> make_writer(const OutputFormat& format, const ReportContext& context) {
  switch (format.kind) {
    case Kind::pairwise:
      return make_pairwise_writer(context);
    case Kind::srspair:
      return make_srspair_writer(context);
    case Kind::sam:
      return make_sam_writer(context);
    case Kind::jsonl:
      return make_jsonl_writer(context);
    case Kind::blast_xml:
      return make_blast_xml_writer(context);
    case Kind::tabular:
    case Kind::tabular_comments:
    case Kind::csv:
      break;
  }
  return make_tabular_writer(format, context);
}

}  // namespace alnus::io
