#include "cpu/batches.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cpu/kernel_set.h"

namespace alnus::cpu {
namespace {

// Subjects by decreasing length, of which some are taken already.
class Remaining {
 public:
  explicit Remaining(std::vector<std::int32_t> blocks)
      : blocks_(std::move(blocks)), next_(blocks_.size() + 1) {
    std::iota(next_.begin(), next_.end(), 0U);
    total_ = std::accumulate(blocks_.begin(), blocks_.end(), std::int64_t{0});
  }
  std::int64_t total_blocks() const { return total_; }
  bool empty() { return find(0) == blocks_.size(); }
  std::size_t longest() { return find(0); }
  // The longest of at most `limit` blocks; size() when there is none.
  std::size_t longest_within(std::int32_t limit) {
    const auto first =
        std::partition_point(blocks_.begin(), blocks_.end(), [&](auto b) { return b > limit; });
    return find(static_cast<std::size_t>(first - blocks_.begin()));
  }
  std::size_t size() const { return blocks_.size(); }
  std::int32_t blocks(std::size_t k) const { return blocks_[k]; }
  void take(std::size_t k) {
    total_ -= blocks_[k];
    next_[k] = static_cast<std::uint32_t>(k + 1);
  }

 private:
  std::size_t find(std::size_t k) {  // the first from k on that is not taken
    while (next_[k] != k) {
      next_[k] = next_[next_[k]];
      k = next_[k];
    }
    return k;
  }
  std::vector<std::int32_t> blocks_;
  std::vector<std::uint32_t> next_;
  std::int64_t total_ = 0;
};

// A restart costs about a pass over the border of all rows, a fraction of a block for all lanes: gaps of
// less are left empty.
constexpr std::int32_t kShortestFill = 24;

}  // namespace

BatchPlan plan_batches(const Resident& subjects, Range columns, std::int32_t lanes,
                       std::int32_t block_columns) {
  std::vector<std::int32_t> blocks;
  for (std::uint32_t p = columns.begin; p < columns.end && subjects.length(p) > 0; ++p) {
    blocks.push_back(static_cast<std::int32_t>((subjects.length(p) + block_columns - 1) / block_columns));
  }
  BatchPlan plan;
  Remaining remaining(std::move(blocks));
  const auto position = [&](std::size_t k) { return columns.begin + static_cast<std::uint32_t>(k); };
  while (!remaining.empty()) {
    const std::size_t head = remaining.longest();
    Batch batch;
    batch.blocks = remaining.blocks(head);
    // With less than a quarter of the lanes' cells in use, aligning this one alone is faster.
    if (remaining.total_blocks() * 4 < std::int64_t{batch.blocks} * lanes) {
      plan.singles.push_back(position(head));
      remaining.take(head);
      continue;
    }
    std::vector<std::int32_t> used(static_cast<std::size_t>(lanes), 0);
    const auto place = [&](std::int32_t lane, std::size_t k) {
      batch.segments.push_back({lane, used[lane], remaining.blocks(k), position(k)});
      used[lane] += remaining.blocks(k);
      remaining.take(k);
    };
    for (std::int32_t lane = 0; lane < lanes && !remaining.empty(); ++lane) place(lane, remaining.longest());
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
      while (batch.blocks - used[lane] >= kShortestFill) {
        const std::size_t k = remaining.longest_within(batch.blocks - used[lane]);
        if (k == remaining.size() || remaining.blocks(k) < kShortestFill / 2) break;
        place(lane, k);
      }
    }
    plan.batches.push_back(std::move(batch));
  }
  return plan;
}

void pack(const Resident& subjects, const Batch& batch, std::int32_t lanes, std::int32_t block_columns,
          std::uint8_t* letters) {
  const std::size_t width = static_cast<std::size_t>(lanes);
  std::memset(letters, kPadLetter, static_cast<std::size_t>(batch.blocks) * block_columns * width);
  constexpr std::size_t kStretch = 64;  // columns at a time, so that the lines written stay in cache
  std::size_t longest = 0;
  for (const Segment& s : batch.segments) longest = std::max(longest, subjects.length(s.position));
  for (std::size_t from = 0; from < longest; from += kStretch) {
    for (const Segment& s : batch.segments) {
      const auto residues = subjects.residues(s.position);
      const std::size_t to = std::min(residues.size(), from + kStretch);
      std::uint8_t* out = letters + static_cast<std::size_t>(s.first_block) * block_columns * width + s.lane;
      for (std::size_t c = from; c < to; ++c) out[c * width] = residues[c] & kCodeMask;
    }
  }
}

}  // namespace alnus::cpu
