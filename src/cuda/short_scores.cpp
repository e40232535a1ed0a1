#include "cuda/short_scores.h"

#include <algorithm>
#include <iterator>

#include "cuda/tuning.h"

namespace alnus::cuda {
namespace {

int rows_for(std::uint32_t length) {
  return *std::ranges::find_if(kShortRows, [&](int rows) { return length <= static_cast<unsigned>(rows); });
}

std::uint32_t fours_of(int rows) { return static_cast<std::uint32_t>(rows) / 4; }

// Subjects of a batch: few enough that all thread blocks get some items of work, and enough that loading the
// profile for them is worthwhile.
std::uint32_t batch_for(std::uint32_t subjects, std::size_t bins, std::uint32_t blocks) {
  constexpr std::uint64_t kItemsOfBlock = 4, kFewest = Short16Kernel::kWarps, kMost = 512;
  const std::uint64_t wanted = std::uint64_t{subjects} * bins / (kItemsOfBlock * blocks);
  return static_cast<std::uint32_t>(std::clamp(wanted / kFewest * kFewest, kFewest, kMost));
}

}  // namespace

bool ShortScores::suits(const Tile& tile, std::uint32_t letters, std::size_t shared_bytes) {
  if (tile.row_range.size() < kFewestShortRows || tile.column_range.size() == 0) return false;
  const std::uint64_t longest = tile.rows->length(tile.row_range.begin);
  return longest > 0 && longest <= kLongestShort &&
         tile.columns->length(tile.column_range.begin) <= kLongestShortSubject &&
         Short16Kernel::shared_bytes(rows_for(static_cast<std::uint32_t>(longest)), letters) <= shared_bytes;
}

void ShortScores::lay_out(const Tile& tile, std::span<const std::uint32_t> lengths, PositionRange positions,
                          Goal goal, std::uint32_t extend, std::uint32_t letters, Staging& staging) {
  parts_.clear();
  std::uint64_t fours = 0;
  std::uint32_t residues = 0;  // of the rows of earlier parts
  const auto rows = static_cast<std::uint32_t>(lengths.size());
  for (std::uint32_t first = 0; first < rows && lengths[first] > 0;) {
    const int of_thread = rows_for(lengths[first]);
    std::uint32_t end = first, residues_of_part = 0;
    for (; end < rows && lengths[end] > 0 && rows_for(lengths[end]) == of_thread; ++end)
      residues_of_part += lengths[end];
    Part part{Short16Kernel(of_thread, goal, extend),
              pack_chains(lengths.subspan(first, end - first), {kShortLanes, of_thread}, 1, goal)};
    for (LaneBlock& block : part.chains.blocks) {
      for (int half = 0; half < 2; ++half) {
        if (block.row[half] == kNoRow) continue;
        block.row[half] += first;
        block.residues[half] += residues;
      }
    }
    part.batch =
        batch_for(positions.size(), part.chains.bins.size(), occupancy_.blocks(part.kernel, letters));
    // A bin leaves out the batches of subjects before the first pair of its rows: rows of a staircase begin
    // later.
    for (Bin& bin : part.chains.bins) {
      Position begin = positions.end;
      for (std::uint32_t k = 0; k < bin.blocks; ++k)
        for (const std::uint32_t row : part.chains.blocks[bin.first_block + k].row)
          if (row != kNoRow) begin = std::min(begin, tile.columns_of(tile.row_range.begin + row).begin);
      bin.first_strip = (std::max(begin, positions.begin) - positions.begin) / part.batch;
    }
    part.blocks_at = staging.add(part.chains.blocks);
    part.bins_at = staging.add(part.chains.bins);
    part.first_four = fours;
    fours += part.chains.blocks.size() * letters * fours_of(of_thread);
    parts_.push_back(std::move(part));
    first = end;
    residues += residues_of_part;
  }
}

void ShortScores::reserve(std::uint32_t letters) {
  if (parts_.empty()) return;
  const Part& last = parts_.back();
  profiles_.reserve(last.first_four + last.chains.blocks.size() * letters * fours_of(last.kernel.rows()));
  items_taken_.reserve(std::size(kShortRows));
}

void ShortScores::launch(Scores16 task, Profiles profiles, const Staging& staging, cudaStream_t stream) {
  fill_zero(items_taken_.data(), parts_.size() * sizeof(std::uint32_t), stream);
  for (std::size_t number = 0; number < parts_.size(); ++number) {
    const Part& part = parts_[number];
    profiles.blocks = staging.at(part.blocks_at);
    profiles.block_count = static_cast<std::uint32_t>(part.chains.blocks.size());
    profiles.rows = static_cast<std::uint32_t>(part.kernel.rows());
    profiles.profiles = profiles_.data() + part.first_four;
    check(launch_profiles(profiles, stream), "the kernel fill_profiles");
    task.profiles = profiles.profiles;
    task.blocks = profiles.blocks;
    task.bins = staging.at(part.bins_at);
    task.bin_count = static_cast<std::uint32_t>(part.chains.bins.size());
    task.batch = part.batch;
    task.strip_count = (task.end - task.begin + part.batch - 1) / part.batch;
    task.next_item = items_taken_.data() + number;
    const std::uint64_t items = std::uint64_t{task.strip_count} * task.bin_count;
    const std::uint64_t blocks = std::min<std::uint64_t>(items, occupancy_.blocks(part.kernel, task.letters));
    check(part.kernel.launch(task, static_cast<int>(blocks), stream), "the kernel short16");
  }
}

}  // namespace alnus::cuda
