#include "engine/adjusted_scores.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "alnus/error.h"
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

}  // namespace

struct AdjustedScores::Sequence {
  std::vector<Residue> codes;  // without case
  stats::Frequencies frequencies;
};

AdjustedScores::AdjustedScores(const SequenceSet& queries, const SequenceSet& subjects,
                               const Scoring& scoring, const StatisticsOptions& options)
    : queries_(queries),
      subjects_(subjects),
      scoring_(scoring),
      mask_(options.low_complexity == LowComplexity::statistics),
      adjuster_(options.composition == Composition::adjust ? stats::MatrixAdjuster::of(scoring)
                                                           : std::nullopt) {
  const Residue unknown = Alphabet::of(scoring.matrix.alphabet()).encode('X');
  for (int q = 0; q < kMaxLetters; ++q)
    for (int s = 0; s < kMaxLetters; ++s)
      stated_[static_cast<std::size_t>(q * kMaxLetters + s)] =
          q == unknown || s == unknown
              ? -scoring.scale
              : scoring.matrix.value(static_cast<Residue>(q), static_cast<Residue>(s));
}

AdjustedScores::Sequence AdjustedScores::prepared(std::span<const Residue> residues, bool masked,
                                                  const StopFlag& stop) const {
  Sequence result;
  result.codes.resize(residues.size());
  std::ranges::transform(residues, result.codes.begin(),
                         [](Residue residue) { return static_cast<Residue>(residue & kCodeMask); });
  if (masked) {
    const Residue unknown = Alphabet::of(scoring_.matrix.alphabet()).encode('X');
    Seg seg(kMildSeg, stop);
    for (const Region& region : seg.find(residues))
      std::fill_n(result.codes.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), unknown);
  }
  if (adjuster_) result.frequencies = adjuster_->frequencies(result.codes);
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
  const std::vector<Sequence> queries = prepare(queries_, rows, false),
                              subjects = prepare(subjects_, columns, mask_);
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
    }
  });
  return result;
}

}  // namespace alnus::engine
