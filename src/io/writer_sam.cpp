// SAM 1.6: the queries as reads, the subjects as references.
#include <algorithm>
#include <fmt/compile.h>
#include <string>
#include <vector>

#include "core/pieces.h"
#include "io/columns.h"
#include "io/sam_names.h"
#include "io/sam_text.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

// Flags of SAM's records.
constexpr int kUnmapped = 0x4, kReversed = 0x10, kSecondary = 0x100, kSupplementary = 0x800;
constexpr int kMappingQualityUnknown = 255;

// Each line of a chimeric alignment lists the others, so that their text is quadratic in their number. With
// more lines than this none has the list, which SAM leaves to the writer.
constexpr std::size_t kMostListedParts = 100;

// True if two rows align different parts of their query: they share less than half of the shorter part. BWA
// and minimap2 draw the line there, too, because alignments at a joint often overlap by a few residues.
bool align_different_parts(const Row& a, const Row& b) {
  const std::int64_t shared = std::min(a.query_end, b.query_end) - std::max(a.query_begin, b.query_begin);
  return 2 * shared < std::min(a.query_end - a.query_begin, b.query_end - b.query_begin);
}

// A record of a chimeric alignment: an alignment of a query that consists of several rows, its parts.
struct Part {
  std::size_t number;  // of the row, among the rows of its answer
  Row row;
};

// Returns the parts of the query's best alignment, its primary row first. The others are rows of the same hit
// that align further parts of the query. The result is empty if there are none.
std::vector<Part> parts_of(const Answer& answer) {
  const Rows& rows = answer.rows;
  std::vector<Part> parts{{answer.primary, rows[answer.primary]}};
  for (std::size_t i = rows.hit_begin(answer.primary), end = rows.hit_end(answer.primary); i < end; ++i) {
    const Row row = rows[i];
    if (std::ranges::all_of(parts, [&](const Part& part) { return align_different_parts(part.row, row); }))
      parts.push_back({i, row});
  }
  if (parts.size() == 1) parts.clear();
  return parts;
}

class SamWriter final : public Writer {
 public:
  explicit SamWriter(const ReportContext& context)
      : Writer(context), alphabet_(&Alphabet::of(context.scoring->matrix.alphabet())) {}

  void begin(OutputFile& out) override {
    append(text(), "@HD\tVN:1.6\tSO:unsorted");
    append(text(), context().is_search ? "\tGO:query\n" : "\n");
    write_references(*context().subjects, out);
    append(text(), "@PG\tID:alnus\tPN:alnus");
    if (!context().version.empty()) fmt::format_to(fmt::appender(text()), "\tVN:{}", context().version);
    if (!context().command_line.empty()) {
      std::string command = context().command_line;
      std::replace_if(
          command.begin(), command.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
      fmt::format_to(fmt::appender(text()), "\tCL:{}", command);
    }
    append(text(), '\n');
  }

  // Each query has exactly one record that is neither secondary nor supplementary: its best alignment, or, if
  // it has none, an unmapped record.
  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    const SequenceView& query = answer.query;
    const std::string name = sam_query_name(query.id());
    if (begin == 0 && answer.primary == Answer::kNone && !answer.again) {
      append(text(), name);
      fmt::format_to(fmt::appender(text()), "\t{}\t*\t0\t0\t*\t*\t0\t0\t", kUnmapped);
      append_read(query, Strand::plus);
      append(text(), '\n');
    }
    std::vector<Part> parts;
    if (begin <= answer.primary && answer.primary < end) parts = parts_of(answer);
    for (std::size_t i = begin; i < end; ++i) {
      const Row row = answer.rows[i];
      if (!aligns_something(row)) continue;
      const bool is_part = std::ranges::find(parts, i, &Part::number) != parts.end();
      append(text(), name);
      write_record(query, row, i == answer.primary ? 0 : is_part ? kSupplementary : kSecondary);
      if (is_part && parts.size() <= kMostListedParts) append_other_parts(query, parts, i);
      append(text(), '\n');
    }
  }
  bool marks_primary() const override { return true; }

 private:
  // Writes the @SQ lines in the order of the subjects' file. A program that sorts records by the subject
  // takes the order of these lines, and so gets the order that it gets with the SAM of other programs.
  void write_references(const SequenceSet& subjects, OutputFile& out) {
    using Index = SequenceSet::Index;
    const auto in_file_order = sorted_numbers(subjects.size(), StopFlag::never(), [&](Index a, Index b) {
      return subjects.file_ordinal(a) < subjects.file_ordinal(b);
    });
    for (const Index i : in_file_order) {
      // SAM has no empty references, so that an empty one is written with the length 1.
      fmt::format_to(fmt::appender(text()), "@SQ\tSN:{}\tLN:{}\n", sam_reference_name(subjects[i].id()),
                     std::max<std::size_t>(1, subjects.length(i)));
      constexpr std::size_t kFull = 1 << 16;
      if (text().size() < kFull) continue;
      out.write(view(text()));
      text().clear();
    }
  }

  // Writes a record up to its tags. `kind`: 0 for the primary record, kSecondary or kSupplementary.
  void write_record(const SequenceView& query, const Row& row, int kind) {
    const SequenceView subject = (*context().subjects)[row.subject];
    fmt::format_to(fmt::appender(text()), "\t{}\t{}\t{}\t{}\t",
                   kind | (row.strand == Strand::minus ? kReversed : 0), sam_reference_name(subject.id()),
                   row.subject_begin + 1, kMappingQualityUnknown);
    append_clipped_cigar(query, row, kind == kSupplementary ? 'H' : 'S');
    append(text(), "\t*\t0\t0\t");
    if (kind == kSecondary)
      append(text(), "*\t*");
    else
      append_read(kind == kSupplementary ? aligned_part(query, row) : query, row.strand);
    append_tags(query, subject, row);
  }

  // Appends the CIGAR with the unaligned ends of the query. `clip`: S if SEQ has these ends, else H.
  void append_clipped_cigar(const SequenceView& query, const Row& row, char clip) {
    std::int64_t before = row.query_begin, after = static_cast<std::int64_t>(query.size()) - row.query_end;
    if (row.strand == Strand::minus) std::swap(before, after);
    append_clip(before, clip);
    append_cigar(text(), row.cigar);
    append_clip(after, clip);
  }

  void append_clip(std::int64_t length, char clip) {
    if (length > 0) fmt::format_to(fmt::appender(text()), FMT_COMPILE("{}{}"), length, clip);
  }

  static SequenceView aligned_part(SequenceView query, const Row& row) {
    const auto begin = static_cast<std::size_t>(row.query_begin);
    const auto length = static_cast<std::size_t>(row.query_end - row.query_begin);
    query.residues = query.residues.subspan(begin, length);
    if (!query.quality.empty()) query.quality = query.quality.substr(begin, length);
    return query;
  }

  // Appends SEQ and QUAL in the direction of the subject: reversed for the minus strand.
  void append_read(const SequenceView& read, Strand strand) {
    if (strand == Strand::plus) return io::append_read(text(), read.residues, read.quality, *alphabet_);
    io::append_read(text(), reverse_complement(read.residues), reversed(read.quality), *alphabet_);
  }

  void append_tags(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const Scoring& scoring = *context().scoring;
    // AS must be an integer: a decimal score is rounded half up there, and stands exactly in ZS.
    const std::int64_t twice = 2LL * row.score + scoring.scale;
    const std::int64_t unit = 2LL * scoring.scale;
    const std::int64_t rounded = twice / unit - (twice % unit < 0);
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tAS:i:{}\tNM:i:{}\tMD:Z:"), rounded,
                   find_differences(query, subject, row));
    append(text(), view(md_));
    if (scoring.scale != 1)
      fmt::format_to(fmt::appender(text()), "\tZS:f:{}", scoring.format_score(row.score));
    if (const auto evalue = row.significance.evalue)
      fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tZE:f:{:.2e}"), *evalue);
  }

  // Returns the value of the tag NM, and writes that of MD into md_.
  std::int64_t find_differences(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const AlignmentCounts counts = counts_of(query, subject, row, *context().scoring);
    md_.clear();
    const std::span<const Residue> aligned =
        subject.residues.subspan(static_cast<std::size_t>(row.subject_begin));
    const std::int64_t unknown = append_md(md_, row.cigar, aligned, *alphabet_);
    return counts.mismatches + counts.gap_residues + unknown;
  }

  // Appends the tag SA, which lists the other parts of a chimeric alignment.
  void append_other_parts(const SequenceView& query, const std::vector<Part>& parts, std::size_t number) {
    append(text(), "\tSA:Z:");
    for (const Part& part : parts) {
      if (part.number == number) continue;
      const Row& row = part.row;
      const SequenceView subject = (*context().subjects)[row.subject];
      fmt::format_to(fmt::appender(text()), "{},{},{},", sam_reference_name(subject.id()),
                     row.subject_begin + 1, row.strand == Strand::minus ? '-' : '+');
      append_clipped_cigar(query, row, 'S');
      fmt::format_to(fmt::appender(text()), ",{},{};", kMappingQualityUnknown,
                     find_differences(query, subject, row));
    }
  }

  const Alphabet* const alphabet_;
  Text md_;
};

}  // namespace

std::unique_ptr<Writer> make_sam_writer(const ReportContext& context) {
  return std::make_unique<SamWriter>(context);
}

}  // namespace alnus::io
