#include "cli/bench_work.h"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <memory>
#include <numeric>
#include <vector>

#include "alnus/error.h"
#include "cli/bench_measure.h"
#include "engine/planner.h"
#include "engine/scheduler.h"

namespace alnus::cli {
namespace {

// Takes every pair and its CIGAR, and keeps none.
class CountingSink : public Sink {
 public:
  explicit CountingSink(bool sums) : sums_(sums) {}
  void accept(const Tile& /*tile*/, std::span<const PairResult> results) override {
    pairs_ += results.size();
    if (!sums_) return;
    std::uint64_t runs = 0, sum = 0;
    for (const PairResult& result : results) {
      Checksum checksum;
      for (const auto value :
           {static_cast<std::int32_t>(result.row), static_cast<std::int32_t>(result.column), result.score,
            result.query_begin, result.query_end, result.subject_begin, result.subject_end,
            static_cast<std::int32_t>(result.cigar.size())})
        checksum.add(static_cast<std::uint32_t>(value));
      sum += checksum.sum();
      runs += result.cigar.size();
    }
    runs_ += runs;
    sum_ += sum;
  }
  void accept_scores(const Tile& tile, const TileScores& scores) override {
    if (sums_) return Sink::accept_scores(tile, scores);
    pairs_ += engine::count_pairs(tile);
  }
  std::uint64_t pairs() const { return pairs_; }
  PairSums sums() const { return {runs_, sum_}; }

 private:
  const bool sums_;
  std::atomic<std::uint64_t> pairs_{0}, runs_{0}, sum_{0};
};

// The same sequences as a set that no device holds yet.
SequenceSet not_yet_loaded(const SequenceSet& set) {
  const auto order = std::make_shared<std::vector<SequenceSet::Index>>(set.size());
  std::iota(order->begin(), order->end(), 0U);
  return set.part(0, set.size(), *order, order);
}

void pass_on_warnings(engine::Progress& progress, Log& log) {
  progress.warn = [&log](const std::string& message) { log.warning(message); };
}

}  // namespace

std::uint64_t search_hits(const SequenceSet& queries, const SequenceSet& subjects, const Scoring& scoring,
                          const engine::SearchOptions& options, std::span<Device* const> devices, Log& log) {
  engine::Progress progress;
  pass_on_warnings(progress, log);
  Checksum checksum;
  engine::search(queries, subjects, scoring, options, devices, progress,
                 [&](SequenceSet::Index query, std::span<const io::Hit> hits, const auto*) {
                   for (const io::Hit& hit : hits) {
                     checksum.add(query);
                     checksum.add(subjects.file_order(hit.subject_index));
                     checksum.add(static_cast<std::uint32_t>(hit.alignment.score));
                   }
                 });
  return checksum.sum();
}

SequenceSet one_of(const SequenceSet& queries, SequenceSet::Index query) {
  SequenceSetBuilder builder(queries.alphabet(), queries.origin());
  builder.add(queries[query].header, queries.residues(query));
  return builder.finish();
}

std::uint64_t pairs_of(const SequenceSet& set) {
  return std::uint64_t{set.size()} * (std::max(set.size(), 1U) - 1) / 2;
}

std::uint64_t cells_of_pairs(const SequenceSet& set) {
  std::uint64_t squares = 0;
  for (SequenceSet::Index i = 0; i < set.size(); ++i) squares += set.length(i) * set.length(i);
  return (set.total_residues() * set.total_residues() - squares) / 2;
}

PairSums align_set(const SequenceSet& sequences, const Problem& problem, std::span<Device* const> devices,
                   bool sums, Log& log) {
  const SequenceSet set = not_yet_loaded(sequences);
  engine::Progress progress;
  pass_on_warnings(progress, log);
  engine::Scheduler scheduler(devices, set, set, problem, progress);
  const std::vector<std::uint32_t> steps = triangle_steps(set.size());
  CountingSink sink(sums);
  scheduler.run({.shape = TileShape::staircase, .first_columns = steps}, problem, sink);
  if (sink.pairs() != pairs_of(set))
    throw Error(ErrorKind::other, "Internal error: not every pair was taken once.");
  return sink.sums();
}

}  // namespace alnus::cli
