// What the writers share. Other code includes writer.h only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/row_text.h"
#include "io/writer.h"

namespace alnus::io {

// Returns the counts that the row has or, if it has none, the counts of its CIGAR.
AlignmentCounts counts_of(const SequenceView& query, const SequenceView& subject, const Row& row,
                          const Scoring& scoring);

// "alnus 0.1.0"
std::string program_name(const ReportContext& context);

// The program's name in BLAST's formats: "BLASTP alnus-0.1.0", for DNA "BLASTN alnus-0.1.0".
std::string blast_program_name(const ReportContext& context);

// Returns the publication of a mode's algorithm, on one line: Smith & Waterman 1981 for local, else Needleman
// & Wunsch 1970.
std::string_view reference_of(Mode mode);

std::unique_ptr<Writer> make_tabular_writer(const OutputFormat& format, const ReportContext& context);
std::unique_ptr<Writer> make_pairwise_writer(const ReportContext& context);
std::unique_ptr<Writer> make_srspair_writer(const ReportContext& context);
std::unique_ptr<Writer> make_sam_writer(const ReportContext& context);
std::unique_ptr<Writer> make_jsonl_writer(const ReportContext& context);
std::unique_ptr<Writer> make_blast_xml_writer(const ReportContext& context);

}  // namespace alnus::io
