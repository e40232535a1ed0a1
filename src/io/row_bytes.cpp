// Estimates of the bytes that a row of each format takes.
#include <algorithm>
#include <string_view>

#include "alnus/output.h"

namespace alnus {
namespace {

// Average lengths of the sequences of a set, from which the size of a row is estimated.
struct Lengths {
  double residues = 0, header = 0, id = 0;

  explicit Lengths(const SequenceSet& set) {
    if (set.empty()) return;
    residues = static_cast<double>(set.total_residues()) / set.size();
    header = static_cast<double>(set.arrays().headers.size()) / set.size();
    constexpr SequenceSet::Index kSample = 1000;
    const SequenceSet::Index sampled = std::min(set.size(), kSample);
    for (SequenceSet::Index i = 0; i < sampled; ++i) id += static_cast<double>(set[i].id().size());
    id /= sampled;
  }
};

double column_bytes(std::string_view column, const Lengths& query, const Lengths& subject) {
  constexpr double kNumber = 7;
  if (column == "qseqid" || column == "qaccver") return query.id;
  if (column == "sseqid" || column == "saccver") return subject.id;
  if (column == "qtitle") return query.header;
  if (column == "stitle") return subject.header;
  if (column == "full_qseq") return query.residues;
  if (column == "full_sseq") return subject.residues;
  if (column == "qseq" || column == "sseq" || column == "btop" || column == "cigar")
    return std::max(query.residues, subject.residues);
  return kNumber;
}

}  // namespace

double expected_row_bytes(const OutputFormat& format, const SequenceSet& queries,
                          const SequenceSet& subjects) {
  const Lengths query(queries), subject(subjects);
  const double columns = std::max(query.residues, subject.residues);
  const double names = query.header + subject.header;
  using Kind = OutputFormat::Kind;
  switch (format.kind) {
    case Kind::pairwise:  // three lines of 60 columns with 20 beside them, and a head
      return 200 + subject.header + columns * 4;
    case Kind::srspair:  // three lines of 50 columns with 30 beside them, and a head
      return 700 + names + columns * 4.8;
    case Kind::sam:
      return 100 + query.id + subject.id + columns * 1.5;
    case Kind::jsonl:
      return 400 + names + columns * 3;
    case Kind::blast_xml:  // three lines of all columns, and elements of about 1,000 bytes
      return 1000 + subject.header + columns * 3;
    case Kind::tabular:
    case Kind::tabular_comments:
    case Kind::csv:
      break;
  }
  double bytes = 0;
  for (const std::string& column : format.columns) bytes += 1 + column_bytes(column, query, subject);
  return bytes;
}

}  // namespace alnus
