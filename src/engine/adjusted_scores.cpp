#include "engine/adjusted_scores.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "alnus/error.h"
#include "core/dust.h"
#include "core/seg.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// The parameters by which blastp masks subjects in its second pass (Schaffer et al. 2001, Nucleic Acids Res.
// 29:2994): 3% of real proteins' residues, where those of `--mask seg` find 8%.
constexpr Seg::Parameters kMildSeg{.window = 10, .trigger = 1.8, .extension = 2.1};

// The sequences that a list of pairs has on one side, each once, and where each pair's is among them.
struct Distinct {
  std::vector<SequenceSet::Index> sequences;
  std::size_t place(SequenceSet::Index index) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(sequences, index) - sequences.begin());
  }
};

Distinct distinct(std::span<const IndexPair> pairs, SequenceSet::Index IndexPair::*side) {
  Distinct result;
  for (const IndexPair& pair : pairs)
    if (result.sequences.empty() || result.sequences.back() != pair.*side)
      result.sequences.push_back(pair.*side);
  std::ranges::sort(result.sequences);
  const auto rest = std::ranges::unique(result.sequences);
  result.sequences.erase(rest.begin(), rest.end());
  return result;
}

bool is_dna(const Scoring& scoring) { return scoring.matrix.alphabet() == AlphabetKind::dna; }

// Masked residues of proteins are X. Those of nucleotides have a code of their own, so that N scores as
// ever, and a pair in which nothing is masked keeps its score.
Residue code_of_masked(AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  return kind == AlphabetKind::dna ? static_cast<Residue>(alphabet.size()) : alphabet.encode('X');
}

}  // namespace

struct AdjustedScores::Sequence {
  std::span<const Residue> codes;  // without case
  std::vector<Residue> copy;       // what `codes` shows, if it is not the sequence itself
  stats::Frequencies frequencies;
  stats::BaseFrequencies bases;
};

AdjustedScores::AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring, const StatisticsOptions& options)
    : queries_(queries),
      subjects_(subjects),
      scoring_(scoring),
      mask_queries_(options.low_complexity == LowComplexity::statistics && is_dna(scoring)),
      mask_subjects_(options.low_complexity == LowComplexity::statistics && !is_dna(scoring)),
      masked_(code_of_masked(scoring.matrix.alphabet())),
      adjuster_(options.composition == Composition::adjust ? stats::MatrixAdjuster::of(scoring)
                                                           : std::nullopt),
      scale_(options.composition == Composition::adjust ? stats::PairScale::of(scoring) : std::nullopt) {
  for (int q = 0; q < kMaxLetters; ++q)
    for (int s = 0; s < kMaxLetters; ++s)
      stated_[static_cast<std::size_t>(q * kMaxLetters + s)] =
          q == masked_ || s == masked_
              ? -scoring.scale
              : scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
}

AdjustedScores::Sequence AdjustedScores::prepared(std::span<const Residue> residues, bool masked,
                                                  const StopFlag& stop) const {
  Sequence result;
  result.codes = residues;
  const std::vector<Region> regions = masked ? low_complexity(residues, stop) : std::vector<Region>{};
  const auto has_case = [](Residue residue) { return (residue & kCodeMask) != residue; };
  if (!regions.empty() || std::ranges::any_of(residues, has_case)) {
    result.copy.resize(residues.size());
    std::ranges::transform(residues, result.copy.begin(),
                           [](Residue residue) { return static_cast<Residue>(residue & kCodeMask); });
    for (const Region& region : regions)
      std::fill_n(result.copy.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), masked_);
    result.codes = result.copy;
  }
  if (adjuster_) result.frequencies = adjuster_->frequencies(result.codes);
  if (scale_) result.bases = scale_->frequencies(result.codes);
  return result;
}

std::vector<Region> AdjustedScores::low_complexity(std::span<const Residue> residues,
                                                   const StopFlag& stop) const {
  Seg seg(kMildSeg, stop);
  Dust dust(stop);
  const std::span<const Region> found = is_dna(scoring_) ? dust.find(residues) : seg.find(residues);
  return {found.begin(), found.end()};
}

std::vector<bool> AdjustedScores::are_scored_again(std::span<const IndexPair> pairs, Call& call) const {
  std::vector<bool> result(pairs.size(), adjuster_ || mask_subjects_);
  if (!mask_queries_) return result;
  const Distinct queries = distinct(pairs, &IndexPair::query);
  std::vector<std::uint8_t> has_regions(queries.sequences.size());
  {
    const ThreadPool::Permit permit(call.threads, call.progress.stop);
    call.threads.for_each(has_regions.size(), [&](std::size_t k) {
      has_regions[k] = !low_complexity(queries_.residues(queries.sequences[k]), call.progress.stop).empty();
    });
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) result[k] = has_regions[queries.place(pairs[k].query)] != 0;
  return result;
}

std::vector<double> AdjustedScores::of(std::span<const IndexPair> pairs, std::span<const std::int32_t> scores,
                                       Call& call) const {
  const std::vector<bool> again = are_scored_again(pairs, call);
  std::vector<IndexPair> changed, others;
  for (std::size_t k = 0; k < pairs.size(); ++k) (again[k] ? changed : others).push_back(pairs[k]);
  const std::vector<double> adjusted = of(changed, call), worths = worths_of(others, call);
  auto next = adjusted.begin();
  auto worth = worths.begin();
  std::vector<double> result;
  for (std::size_t k = 0; k < pairs.size(); ++k) result.push_back(again[k] ? *next++ : *worth++ * scores[k]);
  return result;
}

std::vector<double> AdjustedScores::worths_of(std::span<const IndexPair> pairs, Call& call) const {
  std::vector<double> result(pairs.size(), 1);
  if (!scale_) return result;
  const ThreadPool::Permit permit(call.threads, call.progress.stop);
  const auto frequencies = [&](const SequenceSet& set, const Distinct& side) {
    std::vector<stats::BaseFrequencies> found(side.sequences.size());
    call.threads.for_each(found.size(), [&](std::size_t k) {
      call.progress.stop.throw_if_requested();
      found[k] = scale_->frequencies(set.residues(side.sequences[k]));
    });
    return found;
  };
  const Distinct rows = distinct(pairs, &IndexPair::query), columns = distinct(pairs, &IndexPair::subject);
  const std::vector<stats::BaseFrequencies> queries = frequencies(queries_, rows),
                                            subjects = frequencies(subjects_, columns);
  call.threads.for_each(pairs.size(), [&](std::size_t k) {
    result[k] = scale_->worth(queries[rows.place(pairs[k].query)], subjects[columns.place(pairs[k].subject)]);
  });
  return result;
}

std::vector<double> AdjustedScores::of(std::span<const IndexPair> pairs, Call& call) const {
  constexpr std::size_t kPiece = 32;  // sequences or pairs that a thread takes at a time
  const StopFlag& stop = call.progress.stop;
  const ThreadPool::Permit permit(call.threads, stop);
  const auto for_each = [&](std::size_t count, const auto& body) {
    call.threads.for_each((count + kPiece - 1) / kPiece, [&](std::size_t piece) {
      const std::size_t begin = piece * kPiece;
      body(begin, std::min(begin + kPiece, count));
    });
  };
  const auto prepare = [&](const SequenceSet& set, const Distinct& side, bool masked) {
    std::vector<Sequence> result(side.sequences.size());
    for_each(result.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        stop.throw_if_requested();
        result[k] = prepared(set.residues(side.sequences[k]), masked, stop);
      }
    });
    return result;
  };
  const Distinct rows = distinct(pairs, &IndexPair::query), columns = distinct(pairs, &IndexPair::subject);
  const std::vector<Sequence> queries = prepare(queries_, rows, mask_queries_),
                              subjects = prepare(subjects_, columns, mask_subjects_);
  const std::int32_t factor = adjuster_ ? adjuster_->factor() : 1;
  std::vector<double> result(pairs.size());
  for_each(pairs.size(), [&](std::size_t begin, std::size_t end) {
    const std::unique_ptr<PairScorer> scorer = make_pair_scorer(call.isa);
    for (std::size_t k = begin; k < end; ++k) {
      stop.throw_if_requested();
      const Sequence &query = queries[rows.place(pairs[k].query)],
                     &subject = subjects[columns.place(pairs[k].subject)];
      stats::PairScores adjusted;
      if (adjuster_) adjusted = adjuster_->adjusted(query.frequencies, subject.frequencies);
      const PairScoring scoring{adjuster_ ? adjusted : stated_, factor * scoring_.open,
                                factor * scoring_.extend};
      result[k] =
          static_cast<double>(scorer->local_score(query.codes, subject.codes, scoring, stop)) / factor;
      if (scale_) result[k] *= scale_->worth(query.bases, subject.bases);
    }
  });
  return result;
}

}  // namespace alnus::engine
