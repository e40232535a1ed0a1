// --checkpoint and --add of alnus allpairs: where a run goes on.
#pragma once

#include <optional>
#include <string>

#include "cli/pair_outputs.h"
#include "engine/all_pairs.h"
#include "io/ledger.h"

namespace alnus::cli {

// Everything of a run that its outputs depend on.
struct RunDescription {
  const PairOutputOptions& outputs;
  const CommonOptions& common;
  const Scoring& scoring;
  const engine::AllPairs& pairs;
  const engine::AllPairsOptions& options;
  std::string set_digest;  // of the rows
};

class Checkpoint {
 public:
  // Takes up the ledger in `directory`, or begins one: of the same run, or (with `known_digest`, of the first
  // `known` rows) of the run that these are to be added to, whose outputs are copied and extended. What
  // decided the stripes of the earlier part goes into `options`. Throws Error(input) naming what differs.
  Checkpoint(const std::string& directory, const RunDescription& run, SequenceSet::Index known,
             const std::optional<std::string>& known_digest, engine::AllPairsOptions& options);

  const io::Ledger& ledger() const { return ledger_; }
  // After a stripe whose results are in the outputs.
  void save(const engine::Stripe& stripe, const engine::StripeState& after, const OutputSizes& outputs);
  void finish();

 private:
  io::LedgerDirectory directory_;
  io::Ledger ledger_;
};

}  // namespace alnus::cli
