// The highest identities of pairs of a call of all pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/identity.h"
#include "core/sorted_sequences.h"
#include "engine/all_pairs_driver.h"

namespace alnus::engine {

class PairIdentities {
 public:
  // Both must outlive the object.
  PairIdentities(const AllPairs& pairs, CallState& call) : pairs_(pairs), call_(call) {}
  // Makes the devices drop what they hold of the sequences.
  ~PairIdentities();
  PairIdentities(const PairIdentities&) = delete;
  PairIdentities& operator=(const PairIdentities&) = delete;

  struct Pair {
    IndexPair indices;       // i and j (StripeBuilder)
    std::int32_t score = 0;  // the best score on the strand, in units of 1/scale
  };
  // Returns the highest identity of each pair, as a fraction from 0 to 1, over all alignments of i's strand
  // to j that have the pair's score. Throws as Scheduler::run does.
  std::vector<Fraction> of(std::span<const Pair> pairs, Strand strand, const Scoring& scoring,
                           Denominator denominator);

 private:
  struct Side {
    SortedPtr sorted{};
    std::vector<Position> positions{};  // by index
  };
  const Side& rows_on(Strand strand);
  const Side& columns();
  Side side_of(const SequenceSet& set) const;

  const AllPairs& pairs_;
  CallState& call_;
  Side plus_, minus_, columns_;  // made when they are first wanted
};

}  // namespace alnus::engine
