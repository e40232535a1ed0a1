// Options and results of Session::align and Session::all_pairs: alignments of given pairs, and of all pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/coverage.h"
#include "alnus/option_table.h"
#include "alnus/output.h"
#include "alnus/plan.h"
#include "alnus/relation.h"
#include "alnus/results.h"
#include "alnus/row_filter.h"
#include "alnus/search.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"

namespace alnus {

struct AlignOptions {
  Detail detail = Detail::alignment;
  // For Detail::alignment only. True: rows have CIGARs, coordinates and counts; false: rows lack the CIGARs.
  bool cigars = true;
  Strands strands = Strands::plus;  // the strands of each query that are aligned
  StatisticsOptions statistics{};
  // True: bit scores and Z-scores are wanted, and E-values if `statistics` names a search space.
  bool significance = false;
  std::vector<Denominator> identity_ranges{};  // each pair gets its IdentityRange by each of these
  std::uint32_t max_hsps = 1;                  // as SearchOptions::max_hsps
  // Rows that do not pass every limit which is set are left out, so that a pair may have none.
  std::optional<double> min_score{};  // in the substitution matrix' units
  std::optional<double> evalue{};     // Error(input) if `statistics` names no search space
  RowFilter filter{};
};
template <>
inline constexpr std::tuple kOptions<AlignOptions> = {
    CallOption{std::get<3>(kOptions<SearchOptions>), &AlignOptions::max_hsps},
    CallOption{"min_score", &AlignOptions::min_score, Numbers::score, "N",
               "Leave out alignments with a lower score, in the matrix' units"},
    CallOption{"evalue", &AlignOptions::evalue, StatisticsLimit{&Significance::evalue, true, "E-values"}, "X",
               "Leave out alignments with a larger E-value, which needs --dbsize or --searchsp"},
};
static_assert(std::get<3>(kOptions<SearchOptions>).member == &SearchOptions::max_hsps);

struct AlignSummary {
  std::uint64_t pairs = 0, cells = 0;  // a pair counts once, its cells once for each aligned strand
  std::uint64_t empty = 0;             // local alignments of score 0 among the rows
  std::uint64_t left_out = 0;          // pairs without a row: none of their alignments passes the filters
  std::string statistics;              // how scores are judged, in words; empty: they are not judged
  double seconds = 0;
};

// Takes each batch of rows when the batch is complete. `statistics` says in words how the call judges scores.
using RowSink = std::function<void(const Columns& rows, const std::string& statistics)>;

// The value of a pair in matrices, distances and edges, as `kind` chooses: the pair's score in the
// substitution matrix' units, identity in percent, distance (1 - identity as a fraction, so 0 to 1), or score
// distance (PairValue in alnus/output.h).
struct MatrixValue {
  PairValue kind = PairValue::identity;
  Denominator denominator = Denominator::alignment;  // of identities and distances
};
template <>
inline constexpr std::tuple kOptions<MatrixValue> = {
    CallOption{
        "matrix_value", &MatrixValue::kind, "WORD",
        "The value of a pair, in edges, in the matrix, and by which --top-k finds the nearest: score, "
        "identity (percent), distance (1 - identity), or score-distance (the lower one of the scores of "
        "both sequences with themselves, less the score of the pair)",
        "identity; score for --top-k without --edges"},
    CallOption{std::get<1>(kOptions<RowFilter>), &MatrixValue::denominator},
};

// Only pairs that pass every filter that is set are listed, are edges, and are among sparse values. The query
// of RowFilter::coverage_of is the query of the row: the earlier sequence of the set, or the one of the first
// set; with AllPairsOptions::top_k the sequence whose neighbours are listed, so that a pair may pass in the
// row of one of its sequences alone. `evalue` is judged with the same query.
struct PairFilter : RowFilter {
  std::optional<double> min_score{};  // in the substitution matrix' units
  // Pairs with a larger E-value do not pass. Error(input) if the statistics give no E-values.
  std::optional<double> evalue{};
  bool empty() const { return !min_score && !evalue && !needs_alignments(); }
};
template <>
inline constexpr std::tuple kOptions<PairFilter> = {
    CallOption{"min_score", &PairFilter::min_score, Numbers::score, "N",
               "Leave out pairs with a lower score, in the matrix' units"},
    std::get<0>(kOptions<RowFilter>),
    std::get<2>(kOptions<RowFilter>),
    std::get<3>(kOptions<RowFilter>),
    std::get<4>(kOptions<RowFilter>),
    CallOption{"evalue", &PairFilter::evalue, StatisticsLimit{&Significance::evalue, true, "E-values"}, "X",
               "Leave out pairs with a larger E-value, as in a search of the whole set; mode local alone"},
};

struct AllPairsOptions {
  bool self = false;             // true: in all pairs of one set, each sequence is paired with itself, too
  std::optional<Block> block{};  // empty: the whole pair matrix
  Detail detail = Detail::alignment;
  // For Detail::alignment only. True: rows have CIGARs, coordinates and counts; false: rows lack the CIGARs.
  bool cigars = true;
  // The strands of the longer sequence of each pair that are aligned to the other sequence. The minus strand
  // is the longer sequence's reverse complement.
  Strands strands = Strands::plus;
  PairFilter filter{};
  // The value of every pair, filtered or not, in a ValueStripe. `cutoff` and `top_k` compare this value, too.
  std::optional<MatrixValue> value{};
  // The threshold of PairSink::sparse, in the units of `value`, any number but NaN: scores and identities at
  // or above it pass, distances and score distances at or below it. PairSink::sparse needs it, unless `top_k`
  // is set. The threshold of edges in files is PairFiles::edge_threshold.
  std::optional<double> cutoff{};
  // How many pairs each row has at most: the nearest of the pairs that pass the filter. 0: all of them. The
  // columns of a row are then all sequences of the other set, or, of one set, all other sequences (with
  // `self`, also the row's own sequence). A pair of one set may thus be in the rows of both its sequences,
  // and the sequence of the row is the query. The nearest pairs have the highest score or identity, or the
  // lowest distance or score distance: by `value`, or, if `value` is empty, by the identity where
  // PairFiles::edges are wanted and else by the score. Of equal values the higher score comes first, then the
  // earlier column. Never among the nearest are local pairs of score 0, and pairs with a blank sequence: one
  // that is empty, or of X alone, or of N alone. In a block only its columns are candidates. A top_k together
  // with outputs of every pair (PairSink::values, matrices, PHYLIP) or with PairInputs::added is
  // Error(input).
  std::uint32_t top_k = 0;
  // If not empty, the edges (PairFiles::edges, PairSink::sparse) are the pairs that have one of these
  // relations, and their value is that of the first one that they have: the identity in percent, E-value,
  // score or score distance. Filters, `value`, `cutoff`, `top_k`, `self` and outputs other than edges are
  // Error(input) then; `detail`, `identity_ranges` and `statistics` do not matter, except for its `residues`
  // and `sequences`: they are the search space of E-values, in place of all sequences of the call.
  std::vector<Relation> relations{};
  std::vector<Denominator> identity_ranges{};  // each listed pair gets its IdentityRange by each of these
  StatisticsOptions statistics{};
  // True: listed pairs get bit scores, E-values and Z-scores, as far as the statistics give them (else NaN).
  bool significance = true;
};

struct AllPairsSummary {
  // What this call computed: a pair counts once, its cells once for each aligned strand. With
  // AllPairsOptions::top_k a pair of one set counts once for each of its sequences in whose row it is
  // computed.
  std::uint64_t pairs = 0, cells = 0;
  // `listed` is the number of rows of the result. If rows are wanted, `listed`, `filtered` and `empty`
  // together are the number of pairs of the whole pair matrix, or of the block. A run that goes on from a
  // checkpoint counts the pairs from before the interruption, too.
  std::uint64_t listed = 0;
  std::uint64_t filtered = 0;  // pairs that do not pass the filter, or are not among the nearest
  // Local pairs of score 0, which are never listed. Pairs of score 0 that are known not to pass `min_score`
  // or `evalue` count as filtered instead; with AllPairsOptions::top_k all pairs of score 0 do.
  std::uint64_t empty = 0;
  // How many pairs PairFiles::edges or PairSink::sparse got. A run that goes on from a checkpoint counts the
  // pairs from before the interruption, too.
  std::uint64_t edges = 0;
  SequenceSet::Index first_row = 0;  // the row of the pair matrix where this call began
  bool finished_before = false;      // the checkpoint is of a finished run: this call computed nothing
  std::string statistics;            // how scores are judged, in words; empty: they are not judged
  double seconds = 0;
};

// The callbacks that take the results of all pairs. Results without a callback are not computed.
struct PairSink {
  // Takes the listed pairs, ordered by the row of the pair matrix, then by its column; with
  // AllPairsOptions::top_k the nearest pair of a row comes first. A batch takes at most a sixteenth of
  // SessionOptions::memory_bytes, or an eighth where a larger share of pairs passes the filter than in the
  // batch before.
  RowSink rows{};
  // Takes the values of every pair, one stripe of rows after the other. Needs AllPairsOptions::value.
  std::function<void(const ValueStripe&)> values{};
  // Takes the pairs that pass the filter and whose AllPairsOptions::value passes AllPairsOptions::cutoff;
  // with AllPairsOptions::top_k a pair must also be among the nearest of its row. The pairs of all
  // batches together are ordered by the row of the pair matrix, then by its column. No batch is empty, and
  // each takes at most a sixteenth of SessionOptions::memory_bytes. Error(input): there is no
  // AllPairsOptions::value, there is neither a cutoff nor a top_k, or the cutoff is NaN (without relations).
  std::function<void(const SparseValues&)> sparse{};
};

}  // namespace alnus
