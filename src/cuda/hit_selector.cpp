#include "cuda/hit_selector.h"

#include <algorithm>

namespace alnus::cuda {
namespace {

constexpr std::uint32_t kFirstFound = 1 << 14;  // candidates that come back together with their number
// Candidates of so many cells, or so much of all of them in a short run, would hold up the rest.
constexpr double kTeamPart = 1.0 / (1 << 14), kFewTeamCells = 1 << 19, kTeamCells = 1 << 23;
constexpr std::uint32_t kRoom = 1 << 20;  // for candidates; for more of them all is selected once more
enum Counter : std::size_t { kFound, kPairs, kPairsTaken, kCounters };

}  // namespace

void HitSelector::start(const ScoredSlab& slab, cudaStream_t stream) {
  const std::uint64_t pairs = std::uint64_t{slab.rows} * slab.columns;
  select(slab, static_cast<std::uint32_t>(std::min<std::uint64_t>(kRoom + slab.unknown, pairs)), stream);
}

void HitSelector::select(const ScoredSlab& slab, std::uint32_t room, cudaStream_t stream) {
  room_ = room;
  fill_zero(counters_.reserve(kCounters), kCounters * sizeof(std::uint32_t), stream);
  Selection selection{};
  selection.scores = slab.scores;
  selection.rows = slab.rows;
  selection.columns = slab.columns;
  selection.stride = slab.columns;
  selection.floors = slab.floors;
  selection.known = slab.known;
  selection.most = slab.wanted;
  selection.coarse_from = slab.coarse_from;
  selection.slack = slab.slack;
  selection.overflow = slab.overflow;
  selection.room = room;
  selection.candidates = candidates_.reserve(room);
  selection.found = counters_.data() + kFound;
  const std::uint32_t first_found = std::min(room, kFirstFound);
  fill_zero(selection.candidates, first_found * sizeof(Candidate), stream);  // they come back, used or not
  check(launch_selection(selection, stream), "the kernel select");
  if (!slab.exact) rescore(slab, stream);
  copy_to_host(found_.reserve(1), selection.found, 1, stream);
  copy_to_host(host_candidates_.reserve(room), selection.candidates, first_found, stream);
}

void HitSelector::rescore(const ScoredSlab& slab, cudaStream_t stream) {
  Rescoring task{};
  task.found = counters_.data() + kFound;
  task.room = room_;
  task.coarse_from = slab.coarse_from;
  task.overflow = slab.overflow;
  task.known = slab.known;
  task.candidates = candidates_.data();
  task.query_offsets = slab.query_offsets;
  task.queries = slab.queries;
  task.places = slab.places;
  task.lengths = slab.lengths;
  task.packed = slab.packed;
  task.first_column = slab.first_column;
  task.count = counters_.data() + kPairs;
  task.pairs = pairs_.reserve(room_);
  task.numbers = numbers_.reserve(room_);
  task.ends = ends_.reserve(room_);
  check(launch_pairs_of_candidates(task, stream), "the kernel make_pairs");

  EndsLaunch ends{};
  ends.pairs = task.pairs;
  ends.count = task.count;
  ends.most = room_;
  ends.team_cells = static_cast<std::uint64_t>(std::clamp(slab.cells * kTeamPart, kFewTeamCells, kTeamCells));
  ends.long_passes = slab.long_queries;
  ends.scoring = slab.scoring;
  ends.longest_subject = slab.longest_subject;
  ends.ends = ends_.data();
  ends.warps = warps_of(multiprocessors_);
  while (ends.warps > 1 && workspace_bytes(ends.longest_subject, ends.warps) > memory_bytes_) ends.warps /= 2;
  ends.workspace = workspace_.reserve(workspace_bytes(ends.longest_subject, ends.warps));
  ends.counter = counters_.data() + kPairsTaken;
  check(launch_ends(ends, stream), "the kernel of exact scores");
  check(launch_scores_of_candidates(task, stream), "the kernel take_scores");
}

std::span<const Candidate> HitSelector::finish(const ScoredSlab& slab, cudaStream_t stream) {
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  if (*found_.data() > room_) {
    select(slab, *found_.data(), stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  const std::uint32_t found = *found_.data();
  if (found > kFirstFound) {
    copy_to_host(host_candidates_.data(), candidates_.data(), found, stream);
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  }
  return {host_candidates_.data(), found};
}

}  // namespace alnus::cuda
