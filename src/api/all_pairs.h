// A call of Session::all_pairs, before its results go anywhere.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "alnus/session.h"
#include "api/call.h"
#include "api/pair_files.h"
#include "engine/all_pairs.h"

namespace alnus::api {

// What is to come out of a call.
struct PairWishes {
  bool listed = false;                                      // rows
  std::vector<PairValue> values{};                          // of the pair matrix
  std::optional<double> threshold{};                        // of edges or sparse values
  bool sparse = false;                                      // it is the cutoff of sparse values
  bool square = false, checkpoint = false, phylip = false;  // as PairFiles has them
};
PairWishes wishes_of(const PairFiles& files, const AllPairsOptions& options);

// By what the nearest are chosen (AllPairsOptions::top_k).
MatrixValue nearest_by(const AllPairsOptions& options, const PairWishes& wishes);
inline engine::AllPairs::Rows rows_of_one_set(const AllPairsOptions& options) {
  return options.top_k > 0 ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half;
}

// A call's options, checked, and what they come to for its inputs.
class PairRun {
 public:
  // Throws Error(input) for options that contradict each other or the inputs.
  PairRun(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
          const PairWishes& wishes, Call& call);
  PairRun(const PairRun&) = delete;
  PairRun& operator=(const PairRun&) = delete;

  // The statistics. With `calibrate` false, for the costs, a simulation is only announced.
  void resolve(bool calibrate, Call& call);

  const Scoring& scoring() const { return scoring_; }
  const engine::AllPairs& pairs() const { return pairs_; }
  engine::AllPairsOptions& options() { return options_; }
  const Database& rows() const { return rows_; }        // in the order of the file, as are the columns
  const Database& columns() const { return columns_; }  // of one set these are the rows
  // What is written of these pairs, which are those of the run or of the whole matrix.
  PairJob job(const PairFiles& files, const engine::AllPairs& pairs) const;
  const Database& other() const;  // the input besides the set; the set if there is none
  bool wants_evalues() const;     // they are printed or filter

 private:
  const PairInputs& inputs_;
  const Scoring& scoring_;
  const AllPairsOptions& chosen_;
  const bool listed_;
  const Database rows_, columns_;
  const engine::AllPairs pairs_;
  engine::AllPairsOptions options_;
};

class Verifications;

// The devices, and how the work is cut into stripes. Where stripes end shows in nothing but compressed files
// with a checkpoint: there it depends on all devices that the session may use, not on those chosen now.
void prepare(PairRun& run, bool has_checkpoint, Call& call);

// Every stripe from `state` on, to `take`.
void compute(PairRun& run, const engine::StripeState& state, Verifications& files, AllPairsSummary& summary,
             Call& call, const engine::EmitStripe& take);

// Runs `work`, which fills the summary of the call.
AllPairsSummary summarize(Call& call, const std::function<void(AllPairsSummary&)>& work);

}  // namespace alnus::api
