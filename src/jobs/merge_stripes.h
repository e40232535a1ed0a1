// Checks what the parts of a job of all pairs say of their stripes and edges.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "engine/all_pairs_driver.h"
#include "io/part_file.h"
#include "jobs/job.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// The bytes that the values of every pair, which matrices need, take in all parts of the job together.
std::uint64_t bytes_of_values(const PairJob& job);

// Throws Error(input), whose text is a clause, unless the summary has the pairs and cells of these blocks,
// and unless its listed, empty and filtered pairs add up to these pairs (to 0 if the job has no rows).
void require_counts(const Job& job, const PairJob& of_pairs, std::span<const Block> blocks,
                    const AllPairsSummary& of_part);

// Takes the stripes and edges of all parts in the order of the plan. stripe(), edges() and end() throw
// Error(input), whose text is a clause, for what does not come next, and for what no computation of all pairs
// gives.
class StripeMerger {
 public:
  StripeMerger(const Job& job, const PairJob& of_pairs)
      : job_(job), of_pairs_(of_pairs), needs_(needs_of(of_pairs)) {}

  // Begins a part, which has these blocks. They must follow those of the part before.
  void begin(std::span<const Block> blocks);
  engine::Stripe stripe(const io::ChunkBytes& chunk);  // unpacks the stripe that comes next
  SparseValues edges(const io::ChunkBytes& chunk);     // unpacks edges of the last stripe
  void end(const AllPairsSummary& of_part) const;      // ends a part, which has this summary

 private:
  using Element = std::pair<SequenceSet::Index, SequenceSet::Index>;  // row and column in the pair matrix
  void require_listed(const engine::Stripe& stripe) const;

  const Job& job_;
  const PairJob& of_pairs_;
  const PairNeeds needs_;
  IndexRange rows_;         // the rows of the part at hand
  IndexRange last_stripe_;  // the rows of the last stripe
  SequenceSet::Index next_ = 0;
  std::uint64_t listed_ = 0, empty_ = 0, edges_ = 0;  // counts of the part at hand so far
  Element last_edge_;                                 // the last edge of the last stripe, if has_edge_
  bool has_edge_ = false;
};

}  // namespace alnus::jobs
