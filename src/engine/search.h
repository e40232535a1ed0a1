// A database search: every query with every subject, and the best hits of each query.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "alnus/search.h"
#include "alnus/strand.h"
#include "core/sorted_sequences.h"
#include "engine/call.h"
#include "engine/statistics_options.h"

namespace alnus::engine {

// A pair that may be a hit of its query. Higher scores come first, then the database's order.
struct CandidateKey {
  std::int32_t score = 0;
  FileOrdinal ordinal{};  // of the subject
};

// The database of a search is a piece of another one, consecutive sequences of it, and there is one query.
// What may be a hit is then decided as in a search of the whole.
struct PieceOfDatabase {
  std::shared_ptr<const SortedSequences> whole;
  SequenceSet::Index begin = 0;  // the index that the piece's first sequence has in the whole
  // Takes the candidates of each strand, from any thread. Hits are not cut to max_target_seqs, and a pair may
  // have one on each strand: which of them are hits of the whole, the candidates of all pieces tell.
  std::function<void(Strand strand, std::vector<CandidateKey> candidates)> on_candidates;
};

// As alnus::SearchOptions, with everything resolved.
struct SearchOptions {
  Detail detail = Detail::alignment;
  bool cigars = true;
  std::uint32_t max_target_seqs = 500;      // at least 1
  double evalue = 10;                       // filter where there are E-values
  std::optional<std::int32_t> min_score{};  // in scaled units
  Strands strands = Strands::plus;          // of the queries
  std::uint64_t memory_bytes = 8ULL << 30;
  std::vector<Denominator> identity_ranges{};
  StatisticsOptions statistics{};
  bool significance = true;
  bool query_statistics = false;
  bool histogram = false;
  std::optional<PieceOfDatabase> piece{};  // empty: each query meets the whole database

  // The pairs of highest score of a query and strand that are kept until its hits are chosen.
  std::uint32_t most_candidates() const;
};

// Memory that search() keeps results in until they are handed over, and that their significance and identity
// ranges take.
std::uint64_t search_bytes(const SequenceSet& queries, const SequenceSet& database,
                           const SearchOptions& options);

// `emit` gets batches on this thread, in the order of the queries, while the next one is made. Every pair is
// scored; the hits are aligned in a second pass if more than the score is wanted. A query's hits are the
// first max_target_seqs pairs by E-value, where there are E-values, then by adjusted score, score and the
// database's order, without those whose E-value is too large. Z-values judge the hits that the score has
// chosen.
//
// All drivers throw Error(input) for options out of range, Error(device) when no device can do it,
// Error(memory), Interrupted when the call's stop was requested, and what `emit` throws.
using EmitHits = std::function<void(SearchBatch& batch)>;
SearchSummary search(const SequenceSet& queries, const std::shared_ptr<const SortedSequences>& database,
                     const Scoring& scoring, const SearchOptions& options, Call& call, const EmitHits& emit);

}  // namespace alnus::engine
