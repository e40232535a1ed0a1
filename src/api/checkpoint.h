// Where an interrupted run of all pairs goes on, and a finished one is extended.
#pragma once

#include <optional>
#include <string>

#include "api/pair_files.h"
#include "api/run_description.h"
#include "engine/all_pairs.h"
#include "io/ledger.h"

namespace alnus::api {

// The first rows of a set, which a finished run has written.
struct KnownRows {
  SequenceSet::Index count = 0;
  std::string digest;
};

class Checkpoint {
 public:
  // Takes up the ledger in the job's directory, or begins one. It must be of the same run, or (with `known`)
  // of the run of these rows alone that the other rows are to be added to: its files are copied and extended.
  // What decided the stripes of the earlier part goes into `options`. The outputs of a finished run are read,
  // and must be as it left them. Holds the directory as long as it lives. Throws Error(input) naming what
  // differs, Interrupted, and what LedgerDirectory throws.
  Checkpoint(const RunDescription& run, const std::optional<KnownRows>& known,
             engine::AllPairsOptions& options, const StopFlag& stop);

  const io::Ledger& ledger() const { return ledger_; }
  // After a stripe whose results are in the files.
  void save(const engine::Stripe& stripe, const engine::StripeState& after, const io::OutputStates& outputs);
  void finish(const io::OutputStates& outputs);  // which have their names

 private:
  // `end`: the row behind the last of the ledger's run.
  void check_ranges(const io::Ledger& kept, const engine::AllPairs& pairs, SequenceSet::Index end) const;
  void extend(const RunDescription& run, const KnownRows& known, const io::Ledger& kept,
              const StopFlag& stop);

  io::LedgerDirectory directory_;
  io::Ledger ledger_;
};

}  // namespace alnus::api
