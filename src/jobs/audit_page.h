// The HTML reports of audits (alnus/html_report.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnus/audit.h"
#include "alnus/cluster_audit.h"
#include "alnus/database.h"
#include "alnus/output.h"
#include "alnus/record_sets.h"
#include "alnus/scoring.h"
#include "io/output_file.h"

namespace alnus::jobs {

// Both write the report, which the caller commits, and return the sentence that tells what the bound left
// out; empty if nothing. `sets` and `set` are in file order, as the audit's records are numbered.
std::string write_page(const Audit& audit, const std::vector<Database>& sets, const AuditOptions& options,
                       const Scoring& scoring, const ReportHead& head, std::uint64_t most_bytes,
                       io::OutputFile& out);
std::string write_page(const ClusterAudit& audit, const Database& set, const RecordSets& clusters,
                       const ClusterAuditOptions& options, const Scoring& scoring, const ReportHead& head,
                       std::uint64_t most_bytes, io::OutputFile& out);

}  // namespace alnus::jobs
