#include "io/writer.h"

#include <fmt/format.h>

#include "alnus/error.h"
#include "io/along_query.h"
#include "io/writers.h"

namespace alnus::io {

using Kind = OutputFormat::Kind;

void check_detail(Kind kind, Detail detail) {
  if (detail == Detail::alignment || (kind != Kind::pairwise && kind != Kind::srspair && kind != Kind::sam))
    return;
  throw Error(
      ErrorKind::input,
      fmt::format("Output format {} shows alignments, so it needs {} alignment; for less detail choose a "
                  "table ({} 6).",
                  kind == Kind::pairwise  ? "0 (pairwise)"
                  : kind == Kind::srspair ? "srspair"
                                          : "sam",
                  option("detail"), option("outfmt")));
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

std::unique_ptr<Writer> make_writer(const OutputFormat& format, OutputFile& out) {
  switch (format.kind) {
    case Kind::pairwise:
      return make_pairwise_writer(out);
    case Kind::srspair:
      return make_srspair_writer(out);
    case Kind::sam:
      return make_sam_writer(out);
    case Kind::jsonl:
      return make_jsonl_writer(out);
    case Kind::tabular:
    case Kind::tabular_comments:
    case Kind::csv:
      break;
  }
  return make_tabular_writer(format, out);
}

}  // namespace alnus::io
