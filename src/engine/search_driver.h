// A database search: every query with every subject, and the best hits of each query.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "alnus/search.h"
#include "alnus/strand.h"
#include "core/sorted_sequences.h"
#include "engine/call_state.h"
#include "engine/row_maker.h"

namespace alnus::engine {

// What orders the candidates of a query: higher scores come first, then the database's order.
struct CandidateKey {
  std::int32_t score = 0;
  FileOrdinal ordinal{};  // of the subject
};

// Makes the database of a search a piece of another one: consecutive sequences of `whole`, in the order of
// its set. The search must have one query. A pair is a candidate under the same conditions as in a search of
// the whole, whose lengths and search space count.
struct PieceOfDatabase {
  SortedPtr whole;
  SequenceSet::Index begin = 0;  // index in `whole` of the piece's first sequence
  // Takes the candidates of each strand, from any thread. The search does not cut hits to max_target_seqs,
  // and a pair may be a hit on each strand, each with its further alignments: the candidates of all pieces
  // decide which of these are hits of the whole. Where a filter looks at alignments, the candidates are the
  // hits that pass it, and each pair is one on a single strand, that of its first row.
  std::function<void(Strand strand, std::vector<CandidateKey> candidates)> on_candidates;
};

// alnus::SearchOptions, and what it means for a scoring and a database.
struct SearchOptions {
  alnus::SearchOptions asked{};             // `statistics` and `min_score` are resolved below
  std::optional<std::int32_t> min_score{};  // in units of 1/scale
  ResolvedStatistics statistics{};
  std::uint64_t memory_bytes = 8ULL << 30;
  std::optional<PieceOfDatabase> piece{};  // empty: the database is searched as a whole

  // The largest E-value of a hit, where there are E-values.
  double evalue() const { return asked.evalue.value_or(kDefaultEvalue); }
  // The strands of the queries.
  Strands strands() const { return asked.strands.value_or(Strands::plus); }
  // Returns which rows are wanted of a pair.
  RowOptions rows() const;
  // True if the hits of a batch are aligned while the rows of the batch before are made. Identity ranges and
  // Z-values need the devices for these rows.
  bool aligns_ahead() const {
    return asked.max_hsps > 1 && asked.identity_ranges.empty() &&
           statistics.method != StatisticsMethod::zvalue;
  }
  // Returns the number of candidates, the pairs of highest score, that are kept of each query and strand
  // until the query's hits are chosen.
  std::uint32_t most_candidates() const;
};

// Returns the bytes that search() takes for results until they are handed over, with their significance and
// identity ranges.
std::uint64_t search_bytes(const SequenceSet& queries, const SequenceSet& database,
                           const SearchOptions& options);

// Scores every pair, and aligns the hits in a second pass if more than the score is wanted. `emit` gets
// batches of hits on this thread, in the order of the queries, while the next batch is made. Pairs with too
// large an E-value, where there are E-values, are no hits. A query's hits are the first max_target_seqs of
// the other pairs, ordered by E-value, then by adjusted score, score and the database's order. With Z-values
// the score chooses the hits, and the Z-values judge only these.
//
// All drivers throw Error(input) for options out of range, Error(device) when no device can do the work,
// Error(memory), Interrupted when the call's stop is requested, and what `emit` throws.
using EmitHits = std::function<void(SearchBatch& batch)>;
SearchSummary search(const SequenceSet& queries, const SortedPtr& database, const Scoring& scoring,
                     const SearchOptions& options, CallState& call, const EmitHits& emit);

}  // namespace alnus::engine
