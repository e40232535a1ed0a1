// Checkpoints of all pairs: an interrupted run goes on, and a finished run is extended by more sequences.
#pragma once

#include <optional>
#include <string>

#include "engine/all_pairs_driver.h"
#include "io/ledger.h"
#include "jobs/pair_outputs.h"
#include "jobs/run_description.h"

namespace alnus::jobs {

// The first rows of a set, which an earlier, finished run has written.
struct KnownRows {
  SequenceSet::Index count = 0;
  std::string digest;  // of these rows (io::digest_of)
};

class Checkpoint {
 public:
  // Reads the ledger in the job's checkpoint directory, or begins one. A ledger that is there must be of this
  // run or, with `known`, of the finished run of the known rows alone. In that case the output files of that
  // run are copied, and this run appends the rows that follow. The outputs of a finished run are read and
  // must be as that run left them. Sets in `options` the size of stripes and the memory to those that the run
  // began with (memory at most that of this session). Locks the directory until the destructor. Throws
  // Error(input) naming what differs, Interrupted, and what LedgerDirectory throws.
  Checkpoint(const RunDescription& run, const std::optional<KnownRows>& known,
             engine::AllPairsOptions& options, const StopFlag& stop);

  const io::Ledger& ledger() const { return ledger_; }
  // Records a stripe whose results were written and synced. `outputs`: what PairWriters::sync() returned.
  void save(const engine::Stripe& stripe, const engine::StripeState& after, const io::OutputStates& outputs);
  void finish(const io::OutputStates& outputs);  // records that all outputs have their final names

 private:
  // Throws if numbers in the ledger are out of range. `end`: one past the last row of the ledger's run.
  void check_ranges(const io::Ledger& kept, const engine::AllPairs& pairs, SequenceSet::Index end) const;
  void extend(const RunDescription& run, const KnownRows& known, const io::Ledger& kept,
              const StopFlag& stop);

  io::LedgerDirectory directory_;
  io::Ledger ledger_;
};

}  // namespace alnus::jobs
