#include "engine/further_rows.h"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "core/aligned_pairs.h"
#include "core/further_aligner.h"
#include "engine/registry.h"
#include "engine/significance.h"

namespace alnus::engine {
namespace {

// The alignments of one pair, on one strand or both, best first.
class BothStrands {
 public:
  BothStrands(const StrandedSet& strands, std::span<const Residue> subject, const Scoring& scoring,
              const FirstRow& pair, std::uint64_t memory_bytes, CallState& call) {
    const SequenceSet::Index begin = strands.first(strands.given(pair.query));
    for (SequenceSet::Index k = 0; k < strands_of_each(strands.strands()); ++k) {
      Side& side = sides_.emplace_back();
      side.query = begin + k;
      side.aligner = make_further_aligner(call.isa, memory_bytes / strands_of_each(strands.strands()));
      side.aligner->begin(strands.set().residues(side.query), subject, scoring, pair.lowest,
                          call.progress.stop);
      if (side.query == pair.query) side.aligner->bar(alignment_of(*pair.first));
    }
  }

  // Returns the next alignment and its strand, as an index of the stranded set; empty if none is left.
  std::optional<std::pair<SequenceSet::Index, Alignment>> next() {
    Side* best = nullptr;
    for (Side& side : sides_) {
      if (!side.best && !side.ended) {
        side.best = side.aligner->next();
        side.ended = !side.best;
      }
      if (side.best && (best == nullptr || side.best->score > best->best->score)) best = &side;
    }
    if (best == nullptr) return std::nullopt;
    return std::pair{best->query, *std::exchange(best->best, {})};
  }

 private:
  struct Side {
    SequenceSet::Index query = 0;
    std::unique_ptr<FurtherAligner> aligner;
    std::optional<Alignment> best;  // the next alignment on this strand; empty: not computed yet
    bool ended = false;
  };

  static Alignment alignment_of(const AlignedPair& pair) {
    return {pair.score,         pair.query_begin, pair.query_end,
            pair.subject_begin, pair.subject_end, {pair.cigar.begin(), pair.cigar.end()}};
  }

  std::vector<Side> sides_;
};

}  // namespace

FurtherRows further_rows(const StrandedSet& strands, const SequenceSet& subjects, const Scoring& scoring,
                         std::span<const FirstRow> pairs, std::uint32_t most, std::uint64_t memory_bytes,
                         CallState& call) {
  FurtherRows result;
  result.of_pair.resize(pairs.size());
  std::mutex mutex;  // guards result.runs
  const std::uint64_t at_a_time =
      std::clamp<std::uint64_t>(pairs.size(), 1, static_cast<std::uint64_t>(call.threads.threads()));
  const std::uint64_t memory_of_pair = memory_bytes / at_a_time;
  call.for_each(pairs.size(), [&](std::size_t k) {
    const FirstRow& pair = pairs[k];
    const std::span<const Residue> subject = subjects.residues(pair.subject);
    BothStrands alignments(strands, subject, scoring, pair, memory_of_pair, call);
    for (std::uint32_t number = 2; number <= most; ++number) {
      auto found = alignments.next();
      if (!found) return;
      auto& [query, alignment] = *found;
      AlignedPair aligned{.score = alignment.score,
                          .query_begin = alignment.query_begin,
                          .query_end = alignment.query_end,
                          .subject_begin = alignment.subject_begin,
                          .subject_end = alignment.subject_end,
                          .hsp = static_cast<std::int32_t>(number),
                          .counts = count(alignment, strands.set().residues(query), subject, scoring.matrix),
                          .cigar = alignment.cigar};
      result.of_pair[k].push_back({query, aligned});
      const std::lock_guard lock(mutex);
      result.runs.push_back(std::move(alignment.cigar));  // its memory stays where it is
    }
  });
  return result;
}

namespace {

// Appends what an alignment aligns.
void append_pairs(const AlignedPair& aligned, std::vector<ResiduePair>& pairs) {
  for_each_aligned_pair(aligned, [&](std::size_t i, std::size_t j) { pairs.push_back({i, j}); });
}

}  // namespace

void judge(FurtherRows& rows, std::span<const FirstRow> pairs, const SequenceSet& subjects,
           const Scoring& scoring, std::span<const stats::ScoreJudgePtr> judges,
           const AdjustedScores* adjusted, CallState& call) {
  std::vector<AdjustedScores::Part> parts;
  std::vector<FurtherRow*> all;
  std::deque<std::vector<ResiduePair>> barred;  // memory of AdjustedScores::Part::barred
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    std::map<SequenceSet::Index, std::vector<ResiduePair>> before;  // by strand: what has been aligned
    append_pairs(*pairs[k].first, before[pairs[k].query]);
    for (FurtherRow& row : rows.of_pair[k]) {
      const AlignedPair& aligned = row.aligned;
      std::vector<ResiduePair>& of_strand = before[row.query];
      std::ranges::stable_sort(of_strand, {}, &ResiduePair::subject);
      all.push_back(&row);
      parts.push_back(
          {.pair = {row.query, pairs[k].subject},
           .best = pairs[k].first->score,
           .score = aligned.score,
           .query = {static_cast<std::size_t>(aligned.query_begin),
                     static_cast<std::size_t>(aligned.query_end)},
           .subject = {static_cast<std::size_t>(aligned.subject_begin),
                       static_cast<std::size_t>(aligned.subject_end)},
           .barred = barred.emplace_back(adjusted == nullptr ? std::vector<ResiduePair>{} : of_strand)});
      append_pairs(aligned, of_strand);
    }
  }
  std::vector<double> scores;
  if (adjusted != nullptr) scores = adjusted->within(parts, call);
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::optional<double> of_row;
    if (adjusted != nullptr) of_row = scores[k];
    all[k]->significance = significance_of(judges[all[k]->query].get(), parts[k].score, of_row,
                                           subjects.length(parts[k].pair.subject), scoring);
  }
}

}  // namespace alnus::engine
