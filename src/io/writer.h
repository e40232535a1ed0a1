// Writers of results, one per output format. What a column or format means: docs/formats.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/sequence_set.h"
#include "core/identity.h"
#include "io/output_file.h"
#include "stats/evalue.h"

namespace alnus::io {

// What --outfmt says: a format, for tables with columns: "6 qseqid sseqid score".
struct OutputFormat {
  enum class Kind { pairwise, tabular, tabular_comments, csv, srspair, sam, jsonl };
  Kind kind = Kind::tabular;
  std::vector<std::string> columns;  // canonical names; tables only

  // Throws Error(input) naming the nearest valid format or column.
  static OutputFormat parse(std::string_view text);
  // Whether writing needs the alignment, or the score and ends alone would do.
  Detail needed_detail() const;
  bool needs_statistics() const;                     // any of evalue, bitscore, zscore, zscore_se, zfit
  bool has_head() const;                             // or an end: something that is written once
  bool needs_cigars() const;                         // of an alignment, coordinates and counts do not suffice
  std::vector<Denominator> identity_ranges() const;  // for columns such as pident_min; each once
};

// Said once, before the first query.
struct ReportContext {
  std::string version;       // of the program, for heads and SAM's @PG; empty: left out
  std::string command_line;  // for SAM's @PG and srspair's head
  const Scoring* scoring = nullptr;
  const SequenceSet* subjects = nullptr;  // the database, or the second set of sequences
  std::string database_name;
  std::uint64_t database_sequences = 0, database_residues = 0;
  std::string statistics;             // by which scores are judged, where no query has statistics of its own
  Detail detail = Detail::alignment;  // what the hits' alignments hold; other columns print NA.
                                      // Reports and SAM need the alignment: begin() throws Error(input)
};

struct Hit {
  SequenceView subject;
  std::uint32_t subject_index = 0;  // in context.subjects
  Alignment alignment;
  stats::Significance significance{};
  std::optional<AlignmentCounts> counts{};  // where they are known; the alignment may then have no CIGAR
  std::vector<IdentityRange> identity{};    // by denominator, those that were asked for; empty: NA
};

// Calls come in this order: begin, query*, end. The hits are sorted already. After flush() the output has all
// that was written.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void begin(const ReportContext& context) = 0;
  virtual void query(const SequenceView& query, std::span<const Hit> hits,
                     const stats::QueryStatistics* statistics) = 0;
  virtual void flush() = 0;
  virtual void end() = 0;
};

std::unique_ptr<Writer> make_writer(const OutputFormat& format, OutputFile& out);

}  // namespace alnus::io
