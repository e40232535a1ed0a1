// Finds the pairs of a stripe that have a relation (alnus/relation.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/all_pairs_driver.h"

namespace alnus::engine {

class RelationFinder {
 public:
  RelationFinder() = default;
  RelationFinder(const RelationFinder&) = delete;
  RelationFinder& operator=(const RelationFinder&) = delete;
  virtual ~RelationFinder() = default;
  // Adds the pairs of these rows that have the relation to `found`, in any order; a pair may come twice.
  // Returns how many pairs it had to keep while it looked at them. Throws StripeTooLarge, and as the drivers
  // do (engine/search_driver.h).
  virtual std::uint64_t find(IndexRange rows, std::vector<SparseValue>& found) = 0;
  // How many times as fast as DeviceInfo::gcups the finder gets through cells. Stripes have so many times
  // more cells.
  virtual double cells_at_a_time() const = 0;
};

// What every finder gets. All of it must outlive the finder.
struct RelationInputs {
  const AllPairs& pairs;
  const AllPairsOptions& options;  // `relations` are those that are looked for
  StripeState state;               // where the first stripe begins
  CallState& call;

  // Returns the options of a call that has no relations, in the same memory and on the same strands.
  AllPairsOptions without_relations(Detail detail) const;
  // Returns the bytes that the pairs which a finder keeps may take. A stripe of one row cannot be made
  // smaller, so that it may take any number.
  std::uint64_t most_bytes(IndexRange rows) const;
  // Returns the sparse value of the pair with these indices i and j (StripeBuilder).
  SparseValue value_of(const IndexPair& pair, double value, std::size_t relation) const;
  SparseValue value_of(const IndexPair& pair, const Fraction& identity, std::size_t relation) const;
};

// RelationKind::score and score_distance. `relation`: its number in AllPairsOptions::relations.
std::unique_ptr<RelationFinder> score_finder(const RelationInputs& inputs, std::size_t relation);
// RelationKind::whole.
std::unique_ptr<RelationFinder> whole_finder(const RelationInputs& inputs, std::size_t relation);
// RelationKind::part and related, those of them that are among the relations, and the first hits of
// AllPairsOptions::first_hits. There must be one of these at least.
std::unique_ptr<RelationFinder> local_finder(const RelationInputs& inputs,
                                             std::vector<std::size_t> relations);

}  // namespace alnus::engine
