// Options and results of Session::audit_clusters: are records of different clusters similar?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/audit.h"
#include "alnus/cluster.h"
#include "alnus/export.h"
#include "alnus/record_sets.h"
#include "alnus/report_section.h"
#include "alnus/sequence_set.h"
#include "alnus/similarity.h"

namespace alnus {

struct ClusterAuditOptions {
  Similarity similarity{};
  // What the clusters are said to keep. Empty: as ClusterPromise::components.
  std::optional<ClusterPromise> promise{};
  EdgeFiles edge_files{};  // where the similar pairs are, or are kept
};

// Two similar records of different clusters, by their indices in the order of the file.
struct PairAcross {
  SequenceSet::Index first = 0, second = 0;
  double value = 0;           // as Leak::value
  std::uint8_t relation = 0;  // as Leak::relation
  bool operator==(const PairAcross&) const = default;
};

struct ClusterAudit {
  std::vector<Relation> relations;          // by which pairs are similar; empty: they are given without any
  std::uint64_t records = 0, left_out = 0;  // records with and without a cluster
  std::uint64_t clusters = 0;
  std::vector<PairAcross> across;  // ordered by the second record, then by the first one, which is before it
  std::uint64_t records_across = 0;         // records in these pairs
  std::vector<PairAcross> representatives;  // those of the pairs whose records are both representatives
  // Records that are not similar to the representative of their cluster, if clusters have one.
  std::vector<SequenceSet::Index> unrepresented;
  std::uint64_t similar = 0;           // pairs of records with a cluster that have one of the relations
  std::uint64_t pairs = 0, cells = 0;  // that were compared
  std::string statistics;              // how E-values are computed, in words; empty: there are none
  bool holds = true;                   // the promise holds
  double seconds = 0;
};

// What the report of an audit of clusters says: the result, what was compared, similar pairs of different
// clusters by relation, and some records that are not similar to their representative. `set`: the audited
// one, in file order.
ALNUS_API std::vector<ReportSection> sections_of(const ClusterAudit& audit, const SequenceSet& set,
                                                 const RecordSets& clusters,
                                                 const ClusterAuditOptions& options);

}  // namespace alnus
