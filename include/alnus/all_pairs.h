// What alignments of given pairs and of all pairs take and give (Session::align, Session::all_pairs).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/coverage.h"
#include "alnus/output.h"
#include "alnus/plan.h"
#include "alnus/results.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {

struct AlignOptions {
  Detail detail = Detail::alignment;
  bool cigars = true;
  Strands strands = Strands::plus;  // of the queries
  StatisticsOptions statistics{};
  bool significance = false;  // bits and Z-scores are wanted; E-values if `statistics` names a search space
  std::vector<Denominator> identity_ranges{};  // as SearchOptions has them, of each pair
};

struct AlignSummary {
  std::uint64_t pairs = 0, cells = 0;  // a pair counts once, its cells once for each strand
  std::uint64_t empty = 0;             // local alignments of score 0 among the rows
  std::string statistics;
  double seconds = 0;
};

// Takes batches of rows as they are complete, with the statistics of the call in words.
using RowSink = std::function<void(const Columns& rows, const std::string& statistics)>;

// The value of a pair in matrices, distances and edges: its score in the substitution matrix' units, its
// identity in percent, its distance (1 - identity), or its score distance (PairValue in alnus/output.h).
struct MatrixValue {
  PairValue kind = PairValue::identity;
  Denominator denominator = Denominator::alignment;  // of the identity
};

// Only pairs that pass every filter that is set are listed, are edges, and are among sparse values. The
// identity of an alignment's own columns (Denominator::alignment and ungapped) says nothing of the rest of
// the sequences: where alignments may leave residues out, modes local and semiglobal, filtering by it is a
// warning unless min_coverage or min_length is set. So are percents between 0 and 1, where a share may be
// meant; those outside of 0 to 100 are Error(input).
struct PairFilter {
  std::optional<double> min_score{};     // in the matrix' units
  std::optional<double> min_identity{};  // percent by `denominator`, 0 to 100
  Denominator denominator = Denominator::alignment;
  // Pairs with a larger E-value do not pass. Error(input) if the statistics give no E-values.
  std::optional<double> evalue{};
  std::optional<double> min_coverage{};  // percent of `coverage_of`, 0 to 100
  // The query is that of the row: the earlier sequence of the set, or the one of the first set; with
  // AllPairsOptions::top_k the sequence whose neighbours are looked for, so that a pair may pass from one
  // side alone. The same holds for `evalue`.
  CoverageOf coverage_of = CoverageOf::both;
  std::optional<std::uint32_t> min_length{};  // columns of the alignment
  bool empty() const { return !min_score && !min_identity && !evalue && !min_coverage && !min_length; }
  // True if scores do not suffice to decide whether a pair passes.
  bool needs_alignments() const { return min_identity || min_coverage || min_length; }
};

struct AllPairsOptions {
  bool self = false;             // one set: each sequence with itself, too
  std::optional<Block> block{};  // empty: the whole pair matrix
  Detail detail = Detail::alignment;
  bool cigars = true;
  // The strands of the longer sequence of each pair: the minus strand is that sequence's reverse complement.
  Strands strands = Strands::plus;
  PairFilter filter{};
  // What a ValueStripe has of every pair, filtered or not, and what `cutoff` and `top_k` look at.
  std::optional<MatrixValue> value{};
  // The threshold of PairSink::sparse, in the units of `value`: scores and identities at or above it pass,
  // distances and score distances at or below it. Any number but NaN. PairSink::sparse needs it, unless
  // `top_k` is set; edges in files have PairFiles::edge_threshold.
  std::optional<double> cutoff{};
  // At most so many pairs of each row, the nearest of those that pass the filter; 0: all of them. A row's
  // columns are then all sequences of the other set, or, of one set, all other sequences (with `self`, also
  // itself): a pair of one set may be in the rows of both sequences, and the sequence of the row is the
  // query. The nearest have the highest score or identity, or the lowest distance or score distance: by
  // `value`, and if that is empty by the identity where PairFiles::edges are wanted, else by the score. Of
  // equal values the higher score comes first, then the earlier column. Local pairs of score 0 are not among
  // them. In a block only its columns are candidates. It is Error(input) to set it together with outputs of
  // every pair (PairSink::values, matrices, PHYLIP) or with PairInputs::added.
  std::uint32_t top_k = 0;
  std::vector<Denominator> identity_ranges{};  // as SearchOptions has them, of each listed pair
  StatisticsOptions statistics{};
  bool significance = true;  // wanted for each listed pair; NaN if the statistics give none
};

struct AllPairsSummary {
  // What this call computed: a pair counts once, its cells once for each strand. With AllPairsOptions::top_k
  // a pair of one set counts once for each side from which it is computed.
  std::uint64_t pairs = 0, cells = 0;
  // Where rows are wanted, these three together are the number of pairs of the whole pair matrix, or of the
  // block; a run that goes on from a checkpoint counts those from before the interruption, too.
  std::uint64_t listed = 0;
  std::uint64_t filtered = 0;  // pairs that do not pass the filter, or are not among the nearest
  // Local pairs of score 0, which are never listed. Those that are known not to pass `min_score` or `evalue`
  // count as filtered instead; with AllPairsOptions::top_k all of them do.
  std::uint64_t empty = 0;
  SequenceSet::Index first_row = 0;  // the row of the pair matrix where this call began
  bool finished_before = false;      // the checkpoint is of a finished run: nothing was done
  std::string statistics;
  double seconds = 0;
};

// The callbacks that take the results of all pairs. What has no callback is not computed.
struct PairSink {
  // Listed pairs, ordered by the row of the pair matrix, then by its column; with AllPairsOptions::top_k the
  // nearest of a row come first. A batch takes at most a sixteenth of SessionOptions::memory_bytes, or an
  // eighth where a larger share of pairs passes the filter than in the batch before.
  RowSink rows{};
  std::function<void(const ValueStripe&)> values{};  // needs AllPairsOptions::value
  // The pairs whose AllPairsOptions::value passes AllPairsOptions::cutoff, and that pass the filter; with
  // AllPairsOptions::top_k those of them that are among the nearest of their row. All
  // batches together are ordered by the row of the pair matrix, then by its column; none is empty, and each
  // takes at most a sixteenth of SessionOptions::memory_bytes. Error(input) without a value, without a
  // cutoff or AllPairsOptions::top_k, and if the cutoff is NaN.
  std::function<void(const SparseValues&)> sparse{};
};

}  // namespace alnus
