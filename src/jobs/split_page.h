// The HTML report of a split.
#pragma once

#include <string>

#include "alnus/database.h"
#include "alnus/output.h"
#include "alnus/scoring.h"
#include "alnus/split.h"
#include "io/output_file.h"

namespace alnus::jobs {

// Writes the report, which the caller commits. `certificate`: its text and the name of its file; empty if the
// run writes none.
struct SplitDocument {
  std::string name, text;
};
void write_page(const Split& split, const Database& set, const Scoring& scoring,
                const SplitDocument& certificate, const ReportHead& head, io::OutputFile& out);

}  // namespace alnus::jobs
