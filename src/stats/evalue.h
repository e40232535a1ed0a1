// Bit scores and E-values of local alignments (Karlin & Altschul 1990, Altschul & Gish 1996).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "alnus/scoring.h"
#include "alnus/sequence_set.h"

namespace alnus::stats {

// One row of data/stats/gapped_karlin.tsv (or gapped_karlin_nt.tsv). lambda is per score unit of the
// user (unscaled); lengths in residues.
struct KarlinParameters {
  double lambda = 0, K = 0, H = 0, alpha = 0, beta = 0;
  bool round_down = false;  // blastn: an odd score has the E-value (not the bits) of the even one below
};

// The published parameters of this scoring; empty when there are none, or the mode is not local.
std::optional<KarlinParameters> published_parameters(const Scoring& scoring);

// Everything that the E-values of one query's hits share.
struct QueryStatistics {
  KarlinParameters parameters;
  double score_unit = 1;  // 1 / scoring.scale
  std::int64_t length_adjustment = 0;
  double effective_query = 0, effective_database = 0, search_space = 0;

  double bits(std::int32_t score) const;  // score in scaled integers, as in Alignment
  double evalue(std::int32_t score) const;
  std::int32_t lowest_score(double evalue) const;  // the smallest score whose E-value is at most this
};

// BLAST's length adjustment: statistics.md section 2. query_length >= 1.
QueryStatistics query_statistics(const KarlinParameters& parameters, const Scoring& scoring,
                                 std::uint64_t query_length, std::uint64_t database_residues,
                                 std::uint64_t database_sequences);

// Of each query; empty where the scoring has no published parameters, or there is nothing to align.
std::vector<std::optional<QueryStatistics>> statistics_of(const SequenceSet& queries,
                                                          const SequenceSet& database,
                                                          const Scoring& scoring);

}  // namespace alnus::stats
