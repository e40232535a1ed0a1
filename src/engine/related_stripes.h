// Makes the stripes of all pairs whose sparse values are the pairs that have a relation.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "core/thread_pool.h"
#include "engine/relation_finder.h"

namespace alnus::engine {

class RelatedStripes {
 public:
  // All arguments given by reference must outlive the object.
  RelatedStripes(const AllPairs& pairs, const AllPairsOptions& options, StripeState state, CallState& call);
  RelatedStripes(const RelatedStripes&) = delete;
  RelatedStripes& operator=(const RelatedStripes&) = delete;
  // True if all stripes have been made.
  bool done() const { return state_.next_row == inputs_.pairs.block().rows.end; }
  // Makes the next stripe; also returns the state after it. A pair that has several relations has the value
  // of the first of them. Throws as the drivers do (engine/search_driver.h).
  std::pair<Stripe, StripeState> next();

 private:
  // The end of the stripe that begins at the next row.
  SequenceSet::Index next_end() const;
  // Sets `kept` to the most pairs that a finder kept.
  std::vector<SparseValue> related(IndexRange rows, std::uint64_t& kept);

  const RelationInputs inputs_;
  StripeState state_;
  std::vector<std::unique_ptr<RelationFinder>> finders_;
  // The finder of local relations comes last, and is made while the others find pairs.
  const bool has_local_;
  std::unique_ptr<RelationFinder> local_;
  ThreadPool::Task making_local_;
};

}  // namespace alnus::engine
