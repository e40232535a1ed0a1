#include "cpu/batches.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "cpu/kernel_set.h"

namespace alnus::cpu {
namespace {

// The subjects that plan_batches() has not placed yet, by decreasing length. The number of a subject is its
// index in `positions` of plan_batches(); the length of a subject is counted in blocks of columns.
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
  std::size_t after(std::size_t k) { return find(k + 1); }
  // Returns the longest subject of at most `limit` blocks, or size() if there is none.
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
  std::size_t find(std::size_t k) {  // the first subject from k on that is not taken; size() if none
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

// A lane gets another subject only if at least this many blocks of columns are free at its end. Restarting a
// lane costs about as much as one column in all rows and all lanes, which fewer blocks of one lane do not
// repay.
constexpr std::int32_t kShortestFill = 6;

}  // namespace

BatchPlan plan_batches(const SortedSequences& subjects, std::span<const Position> positions,
                       const BatchShape& shape) {
  const std::int32_t lanes = shape.lanes;
  std::vector<std::int32_t> blocks;
  for (const Position p : positions) {
    blocks.push_back(static_cast<std::int32_t>((subjects.length(p) + shape.block_columns - 1) /
                                               static_cast<std::size_t>(shape.block_columns)));
  }
  BatchPlan plan;
  Remaining remaining(std::move(blocks));
  while (!remaining.empty()) {
    const std::size_t head = remaining.longest();
    Batch batch;
    batch.blocks = remaining.blocks(head);
    // By how many blocks the remaining batches become shorter if the longest subject (`head`) is aligned
    // alone. There are many such blocks if this subject would leave most lanes of its batch empty.
    const auto total = static_cast<double>(remaining.total_blocks());
    const auto blocks_needed = [&](std::size_t longest, double all) {
      return longest == remaining.size() ? 0 : std::max<double>(remaining.blocks(longest), all / lanes);
    };
    const double saved =
        blocks_needed(head, total) - blocks_needed(remaining.after(head), total - batch.blocks);
    if (total * shape.alone < batch.blocks || batch.blocks * shape.alone < saved) {
      plan.singles.push_back(positions[head]);
      remaining.take(head);
      continue;
    }
    std::vector<std::int32_t> used(static_cast<std::size_t>(lanes), 0);
    const auto place = [&](std::int32_t lane, std::size_t k) {
      batch.segments.push_back(
          {lane, used[lane], remaining.blocks(k), positions[k], static_cast<std::uint32_t>(k)});
      used[lane] += remaining.blocks(k);
      remaining.take(k);
    };
    for (std::int32_t lane = 0; lane < lanes && !remaining.empty(); ++lane) place(lane, remaining.longest());
    for (std::int32_t lane = 0; lane < lanes; ++lane) {
      while (batch.blocks - used[lane] >= kShortestFill) {
        const std::size_t k = remaining.longest_within(batch.blocks - used[lane]);
        if (k == remaining.size()) break;
        place(lane, k);
      }
    }
    plan.batches.push_back(std::move(batch));
  }
  return plan;
}

namespace {

// Columns packed at a time: in 64 lanes they take 4 KiB, which stay in cache.
constexpr std::size_t kStretch = 64;

// Transposes a square of 8 x 8 residues from `in` to `out`, and clears the bits of case, so that `out` gets
// codes. Rows are `in_stride` bytes apart in `in`, and `out_stride` bytes apart in `out`.
void transpose8(const std::uint8_t* in, std::size_t in_stride, std::uint8_t* out, std::size_t out_stride) {
  std::uint64_t row[8];
  for (int k = 0; k < 8; ++k) {
    std::memcpy(&row[k], in + k * in_stride, 8);
    row[k] &= 0x0101010101010101 * kCodeMask;
  }
  // Swaps the two off-diagonal quarters of each square whose sides are 2 * distance bytes long. After the
  // distances 4, 2 and 1, byte k of row r is in byte r of row k.
  const auto swap = [&](int distance, std::uint64_t mask) {
    for (int k = 0; k < 8; ++k) {
      if (k & distance) continue;
      const std::uint64_t t = ((row[k] >> (8 * distance)) ^ row[k + distance]) & mask;
      row[k] ^= t << (8 * distance);
      row[k + distance] ^= t;
    }
  };
  swap(4, 0x00000000ffffffff);
  swap(2, 0x0000ffff0000ffff);
  swap(1, 0x00ff00ff00ff00ff);
  for (int k = 0; k < 8; ++k) std::memcpy(out + k * out_stride, &row[k], 8);
}

}  // namespace

void pack(const SortedSequences& subjects, const Batch& batch, const BatchShape& shape, std::uint8_t* letters,
          const StopFlag& stop_flag) {
  const auto width = static_cast<std::size_t>(shape.lanes);
  const auto block_columns = static_cast<std::size_t>(shape.block_columns);
  const std::size_t columns = static_cast<std::size_t>(batch.blocks) * block_columns;
  std::vector<std::vector<const Segment*>> of_lane(width);
  for (const Segment& s : batch.segments) {
    of_lane[s.lane].push_back(&s);
    // The subjects of a batch may be far apart in memory: they were sorted by length, their file need not be.
    __builtin_prefetch(subjects.residues(s.position).data());
    __builtin_prefetch(subjects.residues(s.position).data() + kStretch);
  }
  std::vector<std::size_t> next(width, 0);
  std::vector<std::uint8_t> rows(width * kStretch);  // [lane][kStretch]: the residues to transpose

  for (std::size_t from = 0; from < columns; from += kStretch) {
    stop_flag.throw_if_requested();
    const std::size_t stretch = std::min(kStretch, columns - from), to = from + stretch;
    std::memset(rows.data(), kPadLetter, rows.size());
    for (std::size_t lane = 0; lane < width; ++lane) {
      for (; next[lane] < of_lane[lane].size(); ++next[lane]) {
        const Segment& s = *of_lane[lane][next[lane]];
        const auto residues = subjects.residues(s.position);
        const std::size_t begin = static_cast<std::size_t>(s.first_block) * block_columns;
        const std::size_t end = begin + residues.size();
        if (begin >= to) break;
        const std::size_t first = std::max(begin, from), last = std::min(end, to);
        std::memcpy(&rows[lane * kStretch + first - from], &residues[first - begin], last - first);
        __builtin_prefetch(residues.data() + (last - begin) + kStretch);
        if (end > to) break;
      }
    }
    std::uint8_t* out = letters + from * width;
    const std::size_t whole = width % 8 == 0 ? stretch / 8 * 8 : 0;  // columns that squares of 8 x 8 cover
    for (std::size_t c = 0; c < whole; c += 8) {
      for (std::size_t lane = 0; lane < width; lane += 8) {
        transpose8(&rows[lane * kStretch + c], kStretch, out + c * width + lane, width);
      }
    }
    for (std::size_t c = whole; c < stretch; ++c) {
      for (std::size_t lane = 0; lane < width; ++lane) {
        out[c * width + lane] = rows[lane * kStretch + c] & kCodeMask;
      }
    }
  }
}

BatchStops::BatchStops(const Batch& batch, std::int32_t lanes) {
  const auto width = static_cast<std::size_t>(lanes);
  std::vector<std::int32_t> blocks{batch.blocks};
  for (const Segment& s : batch.segments) {
    if (s.first_block > 0) blocks.push_back(s.first_block);
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());

  std::uint8_t* restarts = restarts_.at_least(blocks.size() * width);
  std::fill_n(restarts, blocks.size() * width, std::uint8_t{0});
  std::vector<std::size_t> last_of_lane(width, batch.segments.size());
  for (std::size_t k = 0; k < batch.segments.size(); ++k) {
    const Segment& s = batch.segments[k];
    const auto lane = static_cast<std::size_t>(s.lane);
    result_of_.push_back((blocks.size() - 1) * width + lane);
    if (s.first_block > 0) {
      const auto stop = static_cast<std::size_t>(
          std::lower_bound(blocks.begin(), blocks.end(), s.first_block) - blocks.begin());
      restarts[stop * width + lane] = 0xff;
      result_of_[last_of_lane[lane]] = stop * width + lane;
    }
    last_of_lane[lane] = k;
  }
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    stops_.push_back({blocks[k], k + 1 < blocks.size() ? restarts + k * width : nullptr});
  }
}

}  // namespace alnus::cpu
