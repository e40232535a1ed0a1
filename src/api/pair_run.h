// The steps that all all-pairs calls share, whether their results go to a sink, into files or into a part.
#pragma once

#include <functional>
#include <optional>

#include "alnus/session.h"
#include "engine/all_pairs_driver.h"
#include "jobs/pair_outputs.h"
#include "session/call.h"
#include "session/file_check.h"

namespace alnus::api {

// The results that an all-pairs call is asked for. Must not outlive the files.
struct PairWishes {
  jobs::PairNeeds needs{};
  // The threshold of edges or of sparse values, in the units of AllPairsOptions::value (identities in
  // percent); empty: neither edges nor sparse values are wanted.
  std::optional<double> threshold{};
  const PairFiles* files = nullptr;         // null: the caller takes the results (PairSink)
  engine::FirstHits* first_hits = nullptr;  // as engine::AllPairsOptions::first_hits
};
PairWishes wishes_of(const PairFiles& files, const AllPairsOptions& options);
// True if sequences are to be paired with themselves, too: because of the options, or because a matrix of one
// set has a diagonal.
bool with_self(const PairInputs& inputs, const AllPairsOptions& options, const PairWishes& wishes);

// Returns the threshold of edges or sparse values, in the units of AllPairsOptions::value: `chosen`, which
// the caller gave. If that is empty, returns with AllPairsOptions::top_k an infinite threshold that every
// pair passes, and else nothing.
std::optional<double> threshold_of(const std::optional<double>& chosen, const AllPairsOptions& options);

// The value that decides which pairs of a row are the nearest (AllPairsOptions::top_k).
MatrixValue nearest_by(const AllPairsOptions& options, const PairWishes& wishes);
inline engine::AllPairs::Rows rows_of_one_set(const AllPairsOptions& options) {
  return options.top_k > 0 ? engine::AllPairs::Rows::whole : engine::AllPairs::Rows::half;
}

// The inputs of an all-pairs call in file order, its pair matrix, and its options in the engine's form.
class PairRun {
 public:
  // Throws Error(input) for options that contradict each other or the inputs.
  PairRun(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
          const PairWishes& wishes, session::Call& call);
  PairRun(const PairRun&) = delete;
  PairRun& operator=(const PairRun&) = delete;

  // Resolves the statistics. If `calibrate` is false (cost estimates), a calibration that would have to be
  // simulated is only announced in a message. Throws Error(input) if the filter, the scoring or
  // PairInputs::added does not go together with the statistics.
  void resolve(bool calibrate, session::Call& call);

  const Scoring& scoring() const { return scoring_; }
  const engine::AllPairs& pairs() const { return pairs_; }
  engine::AllPairsOptions& options() { return options_; }
  const Database& rows() const { return rows_; }        // sequences of the rows, in file order
  const Database& columns() const { return columns_; }  // sequences of the columns; one set: the rows
  // The job that writes `files`. `pairs`: the pairs of this run, or the whole pair matrix of which this run
  // computes a part.
  jobs::PairJob job(const PairFiles& files, const engine::AllPairs& pairs) const;
  const Database& other() const;  // PairInputs::against or ::added; the set itself if neither is given
  bool wants_evalues() const;     // true if rows show significance or E-values filter pairs

 private:
  const PairInputs& inputs_;
  const Scoring& scoring_;
  const AllPairsOptions& chosen_;
  const bool listed_;
  const Database rows_, columns_;
  const engine::AllPairs pairs_;
  engine::AllPairsOptions options_;
};

// Chooses the call's devices and sets the size of stripes. The ends of stripes change the bytes of one kind
// of output only: compressed files of a run with a checkpoint. With `has_checkpoint`, therefore, the size
// follows from all devices that the session may use, not from those chosen for this call; and stripes end
// before they are expected to take long, since an interruption loses the results of the stripe at hand.
void prepare(PairRun& run, bool has_checkpoint, session::Call& call);

// Counts the pairs that are neither listed nor empty as filtered.
void count_filtered(PairRun& run, AllPairsSummary& summary);

// Computes all stripes from `state` on, hands each to `take`, and counts pairs, cells and edges in `summary`.
// The checks in `files` are done before `take` gets a stripe.
void compute(PairRun& run, const engine::StripeState& state, session::Verifications& files,
             AllPairsSummary& summary, session::Call& call, const engine::EmitStripe& take);

// Computes the whole run that these options describe, without files: resolves it, chooses devices, and hands
// each stripe to `take`. Called by the work of the call; fills `summary`.
void compute_whole(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                   const PairWishes& wishes, AllPairsSummary& summary, session::Call& call,
                   const std::function<void(PairRun& run, const engine::Stripe& stripe)>& take);

// Computes the whole run into files. Called by the work of the call; fills `summary`. Throws what
// Session::all_pairs() throws.
void all_pairs_into_files(const PairInputs& inputs, const Scoring& scoring, const AllPairsOptions& options,
                          const PairFiles& files, AllPairsSummary& summary, session::Call& call,
                          bool ends_call);

// Runs `work` as the work of the call, and returns the summary that `work` has filled, with its seconds.
AllPairsSummary summarize(session::Call& call, const std::function<void(AllPairsSummary&)>& work);

}  // namespace alnus::api
