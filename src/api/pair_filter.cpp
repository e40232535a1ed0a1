#include "api/pair_filter.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "api/row_filter.h"
#include "core/pair_value.h"
#include "core/refuse_input.h"
#include "core/sorted_sequences.h"
#include "engine/blank_sequences.h"

namespace alnus::api {
namespace {

// Warns of thresholds between 0 and 1 where the call takes percent.
void warn_of_thresholds(const AllPairsOptions& options, const PairWishes& wishes, session::Call& call) {
  if (options.value.value_or(MatrixValue{}).kind != PairValue::identity || !wishes.threshold) return;
  if (wishes.files)
    warn_of_share("edge_threshold", wishes.threshold, call);
  else if (*wishes.threshold > 0 && *wishes.threshold < 1)  // names percent: in Python cutoffs are fractions
    call.warn(
        fmt::format("A {} of {:.10g}% identity drops next to nothing.", option("cutoff"), *wishes.threshold));
}

// Warns of filters and values by an identity that is divided by the alignment's own columns, in modes where
// the alignment may leave out the rest of the sequences: a few residues may then have any identity.
void warn_of_short_alignments(const Scoring& scoring, const AllPairsOptions& options,
                              const PairWishes& wishes, session::Call& call) {
  const PairFilter& filter = options.filter;
  if (scoring.mode == Mode::global) return;
  const MatrixValue value = options.value.value_or(MatrixValue{});
  const bool has_identities = wishes.needs.values.contains(PairValue::identity);
  const bool has_distances = wishes.needs.values.contains(PairValue::distance);
  // These values are of every pair, whatever the filters are.
  if ((has_identities || has_distances) && is_of_own_columns(value.denominator))
    return call.warn(fmt::format(
        "The {} of a pair is relative to the aligned columns, and a {} alignment may be only a few residues "
        "long, also of unrelated sequences. Divide by more than those columns: {} shorter, longer or mean. "
        "Or choose {} global.",
        has_identities ? "identity" : "distance", to_string(scoring.mode), option("identity"),
        option("mode")));
  if (filter.min_coverage || filter.min_length) return;
  const bool by_threshold =
      wishes.threshold && !is_of_scores(value.kind) && is_of_own_columns(value.denominator) &&
      (value.kind == PairValue::identity ? *wishes.threshold > 0 : *wishes.threshold < 1);
  const MatrixValue nearest = nearest_by(options, wishes);
  const bool by_nearest =
      options.top_k > 0 && !is_of_scores(nearest.kind) && is_of_own_columns(nearest.denominator);
  const bool by_filter = (wishes.needs.rows || wishes.threshold) && filter.min_identity.value_or(0) > 0 &&
                         is_of_own_columns(filter.denominator);
  if (!by_filter && !by_threshold && !by_nearest) return;
  const bool by_cutoff = !by_filter && !wishes.files && wishes.needs.sparse;
  const std::string name = by_filter    ? option("min_identity")
                           : by_nearest ? fmt::format("{} by {}", option("top_k"),
                                                      is_distance(nearest.kind) ? "distance" : "identity")
                           : by_cutoff  ? option("cutoff")
                                        : option("edge_threshold");
  // A caller that takes a cutoff may have no filters to name (Python's pdist). The names of denominators are
  // the same for all callers.
  warn_of_own_columns(name, by_cutoff ? "Divide" : add_coverage_or_divide(), scoring, call);
}

// Warns of score distances in modes where the alignment may leave out the rest of the sequences: they are
// relative to the sequence with the lower self score alone.
void warn_of_local_score_distances(const Scoring& scoring, const AllPairsOptions& options,
                                   const PairWishes& wishes, session::Call& call) {
  constexpr PairValue kKind = PairValue::score_distance;
  if (scoring.mode == Mode::global) return;
  const bool of_every_pair = wishes.needs.values.contains(kKind);
  const bool chooses = (wishes.threshold && options.value.value_or(MatrixValue{}).kind == kKind) ||
                       (options.top_k > 0 && nearest_by(options, wishes).kind == kKind);
  if (!of_every_pair && (!chooses || options.filter.min_coverage || options.filter.min_length)) return;
  call.warn(fmt::format(
      "A score distance is relative to the sequence with the lower score with itself, and a {} alignment may "
      "leave out the rest of the other: a short sequence is at distance 0 from every sequence that contains "
      "it, and near to unrelated ones. Choose {} global.",
      to_string(scoring.mode), option("mode")));
}

// True if the filter, the columns of rows, the edges or the values of every pair use identities.
bool has_identities(const engine::AllPairsOptions& options) {
  const auto of_identities = [](const MatrixValue& value) { return !is_of_scores(value.kind); };
  return options.filter.min_identity || (options.listed && options.fields.detail == Detail::alignment) ||
         (options.cutoff && of_identities(options.cutoff->value)) ||
         std::ranges::any_of(options.values, of_identities);
}

std::string place_of(const engine::SomeOfSet& some, const SequenceSet& set) {
  return fmt::format("{} of {} (the first is {})", format_count(some.count, "sequence", "sequences"),
                     set.origin(), in_quotes(set[some.first].id()));
}

// Warns of sequences of X alone (proteins) or of N alone (nucleotides) that are compared with each other.
void warn_of_identical_blanks(const engine::AllPairs& pairs, session::Call& call) {
  std::vector<std::string> places;
  const auto look_at = [&](const SequenceSet& set, std::uint32_t fewest) {
    const engine::SomeOfSet unknown = engine::all_unknown_of(set, call.stop());
    const bool enough = unknown.count >= fewest;
    if (enough) places.push_back(place_of(unknown, set));
    return enough;
  };
  if (!look_at(pairs.rows(), pairs.one_set() ? 2 : 1)) return;
  if (!pairs.one_set() && !look_at(pairs.columns(), 1)) return;
  const char letter = pairs.rows().alphabet() == AlphabetKind::dna ? 'N' : 'X';
  call.warn(fmt::format(
      "{0} alone: {1}. {0} aligned with {0} counts as identical letters, so that these sequences are up to "
      "100% identical to each other. Remove them if they stand for missing values.",
      letter, fmt::join(places, " and ")));
}

// The sequences of both sets that `some_of` finds, in words: how many there are, of which set, and the first.
// Empty if there are none. Throws Interrupted.
std::string places_of(const engine::AllPairs& pairs,
                      engine::SomeOfSet (*some_of)(const SequenceSet&, const StopFlag&),
                      session::Call& call) {
  std::vector<std::string> places;
  const auto look_at = [&](const SequenceSet& set) {
    const engine::SomeOfSet some = some_of(set, call.stop());
    if (some.count > 0) places.push_back(place_of(some, set));
  };
  look_at(pairs.rows());
  if (!pairs.one_set() && !same_sequences(pairs.rows(), pairs.columns())) look_at(pairs.columns());
  return fmt::format("{}", fmt::join(places, " and "));
}

}  // namespace

void warn_of_filters(const Scoring& scoring, const AllPairsOptions& options, const PairWishes& wishes,
                     session::Call& call) {
  warn_of_limits(options.filter, scoring, call);
  warn_of_thresholds(options, wishes, call);
  warn_of_short_alignments(scoring, options, wishes, call);
  warn_of_local_score_distances(scoring, options, wishes, call);
}

void warn_of_blanks(const engine::AllPairs& pairs, const engine::AllPairsOptions& options, Mode mode,
                    session::Call& call) {
  const bool has_score_distances = options.has_score_distances();
  if (!options.nearest && !has_score_distances) {
    if (mode == Mode::global && has_identities(options)) warn_of_identical_blanks(pairs, call);
    return;
  }
  const std::string letter = pairs.rows().alphabet() == AlphabetKind::dna ? "N" : "X";
  const std::string blank = places_of(pairs, engine::blanks_of, call);
  if (!blank.empty())
    call.warn(fmt::format(
        "No letters, or {} alone: {}. Nothing can be aligned with them, so that {}.", letter, blank,
        options.nearest ? "they are nobody's neighbours"
                        : fmt::format("they are at the largest score distance, {:.0f}, from every sequence",
                                      kLargestScoreDistance)));
  if (!has_score_distances) return;
  const std::string unknown = places_of(pairs, engine::half_unknown_of, call);
  if (!unknown.empty())
    call.warn(fmt::format(
        "Half of the letters or more are {}: {}. Their scores with themselves are so low that score "
        "distances of unrelated sequences from them may be 0 or negative, which joins clusters. Leave them "
        "out.",
        letter, unknown));
}

}  // namespace alnus::api
