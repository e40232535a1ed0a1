// What `alnus audit --clusters` writes.
#pragma once

#include <string>

#include "alnus/cluster_audit.h"
#include "alnus/output.h"
#include "alnus/record_sets.h"
#include "alnus/sequence_set.h"

namespace alnus::cli {

struct AuditedClusters {
  const ClusterAudit& audit;
  const SequenceSet& set;  // in file order
  const RecordSets& clusters;
  const ClusterAuditOptions& options;

  std::string id(SequenceSet::Index record) const;
  const std::string& cluster(SequenceSet::Index record) const;
};

std::string cluster_audit_text(const AuditedClusters& inputs);
std::string cluster_audit_json(const AuditedClusters& inputs);
// A table with tabs of all similar pairs of different clusters.
void write_pairs_across(const AuditedClusters& inputs, OutputFile& out);

}  // namespace alnus::cli
