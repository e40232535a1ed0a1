// SAM 1.6: the queries as reads, the subjects as references.
#include <algorithm>
#include <fmt/compile.h>
#include <string>

#include "core/pieces.h"
#include "io/columns.h"
#include "io/sam_names.h"
#include "io/sam_text.h"
#include "io/writers.h"

namespace alnus::io {
namespace {

// Flags of SAM's records.
constexpr int kUnmapped = 0x4, kReversed = 0x10, kSecondary = 0x100;

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

  // Each query has exactly one record that is not secondary: its best alignment, or, if it has none, an
  // unmapped record.
  void write(const Answer& answer, std::size_t begin, std::size_t end) override {
    const SequenceView& query = answer.query;
    const std::string name = sam_query_name(query.id());
    if (begin == 0 && answer.primary == Answer::kNone && !answer.again) {
      append(text(), name);
      fmt::format_to(fmt::appender(text()), "\t{}\t*\t0\t0\t*\t*\t0\t0\t", kUnmapped);
      append_read(query, Strand::plus);
      append(text(), '\n');
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Row row = answer.rows[i];
      if (!aligns_something(row)) continue;
      append(text(), name);
      write_record(query, (*context().subjects)[row.subject], row, i == answer.primary);
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

  void write_record(const SequenceView& query, const SequenceView& subject, const Row& row, bool is_primary) {
    constexpr int kMappingQualityUnknown = 255;
    const bool reversed = row.strand == Strand::minus;
    fmt::format_to(fmt::appender(text()), "\t{}\t{}\t{}\t{}\t",
                   (is_primary ? 0 : kSecondary) | (reversed ? kReversed : 0),
                   sam_reference_name(subject.id()), row.subject_begin + 1, kMappingQualityUnknown);
    const std::int64_t before = row.query_begin,
                       after = static_cast<std::int64_t>(query.size()) - row.query_end;
    append_clip(reversed ? after : before);
    append_cigar(text(), row.cigar);
    append_clip(reversed ? before : after);
    append(text(), "\t*\t0\t0\t");
    if (is_primary)
      append_read(query, row.strand);
    else
      append(text(), "*\t*");
    append_tags(query, subject, row);
    append(text(), '\n');
  }

  void append_clip(std::int64_t length) {
    if (length > 0) fmt::format_to(fmt::appender(text()), FMT_COMPILE("{}S"), length);
  }

  // Appends SEQ and QUAL in the direction of the subject: reversed for the minus strand.
  void append_read(const SequenceView& query, Strand strand) {
    if (strand == Strand::plus) return io::append_read(text(), query.residues, query.quality, *alphabet_);
    io::append_read(text(), reverse_complement(query.residues), reversed(query.quality), *alphabet_);
  }

  void append_tags(const SequenceView& query, const SequenceView& subject, const Row& row) {
    const AlignmentCounts counts = counts_of(query, subject, row, *context().scoring);
    const Scoring& scoring = *context().scoring;
    // AS must be an integer: a decimal score is rounded half up there, and stands exactly in ZS.
    const std::int64_t twice = 2LL * row.score + scoring.scale;
    const std::int64_t unit = 2LL * scoring.scale;
    const std::int64_t rounded = twice / unit - (twice % unit < 0);
    md_.clear();
    const std::span<const Residue> aligned =
        subject.residues.subspan(static_cast<std::size_t>(row.subject_begin));
    const std::int64_t unknown = append_md(md_, row.cigar, aligned, *alphabet_);
    fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tAS:i:{}\tNM:i:{}\tMD:Z:"), rounded,
                   counts.mismatches + counts.gap_residues + unknown);
    append(text(), view(md_));
    if (scoring.scale != 1)
      fmt::format_to(fmt::appender(text()), "\tZS:f:{}", scoring.format_score(row.score));
    if (const auto evalue = row.significance.evalue)
      fmt::format_to(fmt::appender(text()), FMT_COMPILE("\tZE:f:{:.2e}"), *evalue);
  }

  const Alphabet* const alphabet_;
  Text md_;
};

}  // namespace

std::unique_ptr<Writer> make_sam_writer(const ReportContext& context) {
  return std::make_unique<SamWriter>(context);
}

}  // namespace alnus::io
