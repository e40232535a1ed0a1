// Every pair of a set, or every sequence of a set with every one of another, once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/device.h"
#include "core/identity.h"
#include "engine/progress.h"
#include "engine/statistics_options.h"
#include "io/stripe.h"

namespace alnus::engine {

// What a matrix has for every pair: the score in the user's units; percent of identity; 1 - identity.
struct MatrixValue {
  io::PairValue kind = io::PairValue::identity;
  Denominator denominator = Denominator::alignment;  // of the identity

  double of(const Scoring& scoring, std::int32_t score, const AlignmentCounts& counts, std::size_t length,
            std::size_t other_length) const;
};

// Pairs are listed if they pass all that is set.
struct PairFilter {
  std::optional<std::int32_t> min_score{};  // in scaled units
  std::optional<double> min_identity{};     // percent of `denominator`
  Denominator denominator = Denominator::alignment;
  std::optional<double> evalue{};  // where there are E-values

  bool empty() const { return !min_score && !min_identity && !evalue; }
};

struct AllPairsOptions {
  Detail detail = Detail::alignment;
  bool cigars = true;  // of Detail::alignment
  bool listed = true;  // whether pairs are wanted one by one
  PairFilter filter{};
  std::optional<MatrixValue> value{};          // wanted of every pair, filtered or not
  std::vector<Denominator> identity_ranges{};  // wanted of each listed pair
  StatisticsOptions statistics{};              // of each listed pair
  std::uint64_t memory_bytes = 8ULL << 30;
  double stripe_cells = 1e13;  // of a stripe, about
};

// Some seconds of work on these devices, by their nominal speed.
double stripe_cells(std::span<Device* const> devices);

// A pair that passed the filter. Indices: i before j in the set, or i in the set and j in the other one.
struct ListedPair {
  SequenceSet::Index i = 0, j = 0;
  std::int32_t score = 0;
  std::int32_t i_begin = -1, i_end = -1, j_begin = -1, j_end = -1;
  AlignmentCounts counts;
  std::span<const CigarRun> cigar;  // an insertion is a residue extra in i
};

// All pairs of consecutive rows.
struct Stripe {
  Range rows;
  std::vector<ListedPair> listed;                    // by row, then column
  std::vector<std::vector<IdentityRange>> identity;  // of each listed pair, by denominator; empty: unwanted
  std::vector<stats::Significance> significance;     // of each listed pair; empty: unwanted
  std::uint64_t pairs = 0;                           // of the stripe
  std::uint64_t empty = 0;                           // local alignments of score 0 among those not listed
  std::unique_ptr<double[]> values;  // AllPairsOptions::value, if wanted: row by row, `columns` each
  std::uint64_t columns = 0;
  std::vector<std::shared_ptr<const void>> owners;  // of the CIGARs
};

// Which pairs there are. The columns of a row are the sequences before it in its set, so that the rows of a
// set are the first rows of every longer set that begins with it; or all of another set.
class AllPairs {
 public:
  using Index = SequenceSet::Index;
  // `against` null: one set, `self`: with every sequence itself, too.
  AllPairs(const SequenceSet& set, const SequenceSet* against, bool self);
  const SequenceSet& rows() const { return rows_; }
  const SequenceSet& columns() const { return columns_; }
  bool one_set() const { return one_set_; }
  bool self() const { return self_; }
  Index columns_of(Index row) const;  // how many, from the first on
  // Of the rows from `row` on.
  std::uint64_t pairs_from(Index row) const;
  std::uint64_t cells_from(Index row) const;

 private:
  const SequenceSet rows_, columns_;
  const bool one_set_, self_;
};

// Stripes in order, each of so many rows that it is worth the devices' while and its results fit the memory.
// Where they end depends on the input and the options, and on nothing else: what is written stripe by stripe
// is the same bytes whatever happened in between. `emit` has a stripe on the caller's thread while the next
// is computed.
//
// A pair is aligned with the longer sequence as the query (of equal lengths the one whose residues come
// first), so that the result does not depend on the order in the file; docs/ties.md.
// Throws as the other drivers do (engine/search.h).
struct StripeState {
  SequenceSet::Index next_row = 0;
  double left = 1;  // what part of the pairs the filter left in the stripe before
};
using EmitStripe = std::function<void(const Stripe& stripe, const StripeState& after)>;
void all_pairs(const AllPairs& pairs, const Scoring& scoring, const AllPairsOptions& options,
               StripeState state, std::span<Device* const> devices, Progress& progress,
               const EmitStripe& emit);

}  // namespace alnus::engine
