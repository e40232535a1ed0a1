#include "engine/pair_rows.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <iterator>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/aligned_pairs.h"
#include "core/further_aligner.h"
#include "engine/columns_builder.h"
#include "engine/registry.h"

namespace alnus::engine {
namespace {

// The aligners of a call that no thread works with. They keep their buffers from pair to pair.
class IdleAligners {
 public:
  // The aligners take about this memory each.
  IdleAligners(const std::string& isa, std::uint64_t memory_bytes) : isa_(isa), memory_bytes_(memory_bytes) {}
  std::unique_ptr<FurtherAligner> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return make_further_aligner(isa_, memory_bytes_);
    std::unique_ptr<FurtherAligner> aligner = std::move(idle_.back());
    idle_.pop_back();
    return aligner;
  }
  void give_back(std::unique_ptr<FurtherAligner> aligner) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(aligner));
  }

 private:
  const std::string& isa_;
  const std::uint64_t memory_bytes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<FurtherAligner>> idle_;
};

// The alignments of one pair, on one strand or both, best first.
class BothStrands {
 public:
  BothStrands(const StrandedSet& strands, std::span<const Residue> subject, const Scoring& scoring,
              const FirstRow& pair, IdleAligners& idle, const StopFlag& stop)
      : idle_(idle) {
    const SequenceSet::Index begin = strands.first(strands.given(pair.query));
    for (SequenceSet::Index k = 0; k < strands_of_each(strands.strands()); ++k) {
      Side& side = sides_.emplace_back();
      side.query = begin + k;
      side.aligner = idle_.take();
      side.aligner->begin(strands.set().residues(side.query), subject, scoring, pair.lowest, stop);
      if (side.query == pair.query) side.aligner->bar(alignment_of(*pair.first));
    }
  }

  BothStrands(const BothStrands&) = delete;
  BothStrands& operator=(const BothStrands&) = delete;
  ~BothStrands() {
    for (Side& side : sides_) idle_.give_back(std::move(side.aligner));
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

  IdleAligners& idle_;
  std::vector<Side> sides_;
};

Region region(std::int32_t begin, std::int32_t end) {
  return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

// Returns what those of the rows that are on the strand of `row` align within its rectangle, sorted by
// ResiduePair::subject.
std::vector<ResiduePair> aligned_within(const PairRow& row, std::span<const PairRow> rows) {
  const Region query = region(row.aligned.query_begin, row.aligned.query_end),
               subject = region(row.aligned.subject_begin, row.aligned.subject_end);
  const auto lies_in = [](std::size_t place, const Region& region) {
    return place >= region.begin && place < region.end;
  };
  const auto overlaps = [](const Region& a, const Region& b) { return a.begin < b.end && b.begin < a.end; };
  std::vector<ResiduePair> result;
  for (const PairRow& other : rows) {
    const AlignedPair& aligned = other.aligned;
    if (other.query != row.query || !overlaps(region(aligned.query_begin, aligned.query_end), query) ||
        !overlaps(region(aligned.subject_begin, aligned.subject_end), subject))
      continue;
    for_each_aligned_pair(aligned, [&](std::size_t i, std::size_t j) {
      if (lies_in(i, query) && lies_in(j, subject)) result.push_back({i, j});
    });
  }
  std::ranges::stable_sort(result, {}, &ResiduePair::subject);
  return result;
}

// Warns, once in a call, if further rows take more than half of the memory budget.
void warn_of_memory(std::uint64_t bytes, std::uint64_t budget, Progress& progress) {
  if (bytes <= budget / 2 || !progress.warn || progress.told_of_memory.exchange(true)) return;
  progress.warn(fmt::format(
      "The further alignments of some pairs take {}, and {} is {}: it may be exceeded. A lower {}, "
      "or limits of scores, need less.",
      format_bytes(static_cast<double>(bytes)), option("memory"), format_bytes(static_cast<double>(budget)),
      option("max_hsps")));
}

// Returns the numbers of the pairs, those with most cells first, so that no thread is left alone with a large
// pair at the end.
std::vector<std::size_t> largest_first(const StrandedSet& strands, const SequenceSet& subjects,
                                       std::span<const FirstRow> pairs) {
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t k) {
    return std::uint64_t{strands.set().length(pairs[k].query)} * subjects.length(pairs[k].subject);
  });
  return order;
}

}  // namespace

PairRows rows_of_pairs(const StrandedSet& strands, const SequenceSet& subjects, const Scoring& scoring,
                       std::span<const FirstRow> pairs, std::uint32_t most, std::uint64_t memory_bytes,
                       CallState& call) {
  PairRows result;
  std::vector<std::vector<PairRow>> further(most > 1 ? pairs.size() : 0);  // by pair
  std::mutex mutex;                                                        // guards result.runs
  const std::uint64_t at_a_time =
      std::clamp<std::uint64_t>(pairs.size(), 1, static_cast<std::uint64_t>(call.threads.threads()));
  IdleAligners idle(call.isa, batch_bytes(memory_bytes) / at_a_time / strands_of_each(strands.strands()));
  const std::vector<std::size_t> order =
      most > 1 ? largest_first(strands, subjects, pairs) : std::vector<std::size_t>{};
  std::atomic<std::uint64_t> bytes{0};  // of further rows, here and in columns
  call.for_each(order.size(), [&](std::size_t place) {
    const std::size_t k = order[place];
    const FirstRow& pair = pairs[k];
    if (pair.first->score < pair.lowest) return;  // no further alignment scores more than the first
    const std::span<const Residue> subject = subjects.residues(pair.subject);
    BothStrands alignments(strands, subject, scoring, pair, idle, call.progress.stop);
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
      further[k].push_back({k, query, pair.subject, aligned, {}});
      bytes += sizeof(PairRow) + kBytesOfRow + 2 * alignment.cigar.size() * sizeof(CigarRun);
      const std::lock_guard lock(mutex);
      result.runs.push_back(std::move(alignment.cigar));  // its memory stays where it is
    }
  });
  warn_of_memory(bytes, memory_bytes, call.progress);
  result.rows.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    result.rows.push_back({k, pairs[k].query, pairs[k].subject, *pairs[k].first, pairs[k].significance});
    if (!further.empty()) std::ranges::move(further[k], std::back_inserter(result.rows));
  }
  return result;
}

void judge_further(PairRows& rows, const SequenceSet& subjects, const Scoring& scoring,
                   std::span<const stats::ScoreJudgePtr> judges, const AdjustedScores* adjusted,
                   CallState& call) {
  std::vector<AdjustedScores::Part> parts;
  std::vector<PairRow*> further;
  std::size_t first = 0;  // the first row of the pair at hand
  for (std::size_t k = 0; k < rows.rows.size(); ++k) {
    PairRow& row = rows.rows[k];
    const AlignedPair& aligned = row.aligned;
    if (aligned.hsp == 1) {
      first = k;
      continue;
    }
    further.push_back(&row);
    const std::span<const PairRow> before = std::span(rows.rows).subspan(first, k - first);
    parts.push_back({.pair = {row.query, row.subject},
                     .best = before.front().aligned.score,
                     .score = aligned.score,
                     .query = region(aligned.query_begin, aligned.query_end),
                     .subject = region(aligned.subject_begin, aligned.subject_end),
                     .barred = [&row, before] { return aligned_within(row, before); }});
  }
  std::vector<double> scores;
  if (adjusted != nullptr) scores = adjusted->within(parts, call);
  for (std::size_t k = 0; k < further.size(); ++k) {
    std::optional<double> of_row;
    if (adjusted != nullptr) of_row = scores[k];
    further[k]->significance = significance_of(judges[further[k]->query].get(), parts[k].score, of_row,
                                               subjects.length(parts[k].pair.subject), scoring);
  }
}

}  // namespace alnus::engine
