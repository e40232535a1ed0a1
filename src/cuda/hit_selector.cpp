#include "cuda/hit_selector.h"

#include <algorithm>

#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

// A candidate is scored by a team of warps if it has at least the fraction kTeamPart of the cells of all
// pairs, but no fewer than kFewTeamCells cells, or if it has kTeamCells cells: one warp alone would end later
// than all others.
constexpr double kTeamPart = 1.0 / (1 << 14), kFewTeamCells = 1 << 19, kTeamCells = 1 << 23;
enum Counter : std::size_t { kFound, kPairs, kPairsTaken, kCounters };

// How many candidates are copied to the host together with their number. Twice as many candidates as wanted
// pairs are expected: some tie with the last wanted pair, and some have to be scored again.
std::uint32_t first_found(const ScoredSlab& slab, std::uint32_t room) {
  if (slab.wanted == 0 && slab.has_floors) return std::min(room, kMostFirstFound);
  const std::uint64_t expected = 2 * std::uint64_t{slab.rows} * slab.wanted + slab.unknown;
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>({room, kLeastFirstFound + expected, kMostFirstFound}));
}

std::uint32_t room_for(const ScoredSlab& slab) {
  const std::uint64_t pairs = std::uint64_t{slab.rows} * slab.columns;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(kCandidateRoom + slab.unknown, pairs));
}

}  // namespace

void HitSelector::prepare(const ScoredSlab& slab) { reserve(slab, room_for(slab)); }

void HitSelector::start(const ScoredSlab& slab, cudaStream_t stream) { select(slab, room_for(slab), stream); }

void HitSelector::reserve(const ScoredSlab& slab, std::uint32_t room) {
  counters_.reserve(kCounters);
  candidates_.reserve(room);
  found_.reserve(1);
  host_candidates_.reserve(first_found(slab, room));  // there are seldom more, and pinning memory takes long
  if (slab.exact) return;
  pairs_.reserve(room);
  numbers_.reserve(room);
  ends_.reserve(room);
  warps_ = warps_of(multiprocessors_);
  while (warps_ > 1 && workspace_bytes(slab.longest_subject, warps_) > memory_bytes_) warps_ /= 2;
  workspace_.reserve(workspace_bytes(slab.longest_subject, warps_));
}

void HitSelector::select(const ScoredSlab& slab, std::uint32_t room, cudaStream_t stream) {
  room_ = room;
  reserve(slab, room);
  fill_zero(counters_.data(), kCounters * sizeof(std::uint32_t), stream);
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
  selection.candidates = candidates_.data();
  selection.found = counters_.data() + kFound;
  first_found_ = first_found(slab, room);
  // All of these are copied to the host, even if fewer are found.
  fill_zero(selection.candidates, first_found_ * sizeof(Candidate), stream);
  check(launch_selection(selection, stream), "the kernel select");
  if (!slab.exact) rescore(slab, stream);
  copy_to_host(found_.data(), selection.found, 1, stream);
  copy_to_host(host_candidates_.data(), selection.candidates, first_found_, stream);
}

void HitSelector::rescore(const ScoredSlab& slab, cudaStream_t stream) {
  Rescoring task{};
  task.found = counters_.data() + kFound;
  task.room = room_;
  task.coarse_from = slab.coarse_from;
  task.overflow = slab.overflow;
  task.known = slab.known;
  task.candidates = candidates_.data();
  task.sequences = slab.sequences;
  task.count = counters_.data() + kPairs;
  task.pairs = pairs_.data();
  task.numbers = numbers_.data();
  task.ends = ends_.data();
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
  ends.warps = warps_;
  ends.workspace = workspace_.data();
  ends.counter = counters_.data() + kPairsTaken;
  ends.stop = stopper_.word();
  check(launch_ends(ends, stream), "the kernel of exact scores");
  check(launch_scores_of_candidates(task, stream), "the kernel take_scores");
}

std::span<const Candidate> HitSelector::finish(const ScoredSlab& slab, cudaStream_t stream,
                                               PinnedArray<Candidate>& into) {
  stopper_.wait(stream);
  if (slab.wanted == 0 && *found_.data() > std::max(kMostFound, room_)) throw TooManyFound();
  if (*found_.data() > room_) {
    select(slab, *found_.data(), stream);
    stopper_.wait(stream);
  }
  const std::uint32_t found = *found_.data();
  into.reserve(found);
  if (found > first_found_) {
    copy_to_host(into.data(), candidates_.data(), found, stream);
    stopper_.wait(stream);
  } else {
    std::copy_n(host_candidates_.data(), found, into.data());
  }
  return {into.data(), found};
}

}  // namespace alnus::cuda
