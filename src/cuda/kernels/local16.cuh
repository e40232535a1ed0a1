// The kernel itself; local16.cu instantiates it. The recurrence is that of core/reference.cpp, with a floor
// instead of 0 and the gap in the query (E there) going from column to column in `gap_right`, the gap in the
// subject (F there) going down the rows in `gap_down`.
#pragma once

#include "cuda/kernels/local16.h"

namespace alnus::cuda {

constexpr int kWarpThreads = 32;
constexpr std::uint32_t kFloorPair = kFloor * 0x10001u;
constexpr std::uint32_t kExtend1 = halves_addend(1);
constexpr std::uint32_t kPadPair = 0xffffffffu;  // a score of -1 in both halves

// Plain loads in PTX: the compiler would mask the byte once more, and work out the base of the shared memory
// anew in every step.
__device__ inline std::uint32_t load_byte(const std::uint8_t* address) {
  std::uint32_t byte;
  asm("ld.global.nc.u8 %0, [%1];" : "=r"(byte) : "l"(address));
  return byte;
}

__device__ inline uint4 load_shared(std::uint32_t address) {
  uint4 four;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
               : "r"(address));
  return four;
}

// Four scores a load for the lanes of a group: [letter][four rows][lane], so that eight lanes read 128
// consecutive bytes whatever their letters are. Groups of 4 would need a copy for every second group.
template <int lanes, int rows>
struct Profile {
  static constexpr int kFours = (rows + 3) / 4;
  static constexpr int kLetter = kFours * lanes;  // uint4 of a letter

  static __device__ void load(uint4* shared, const Local16& work, const Bin& bin, std::uint32_t pass) {
    const std::uint32_t first = pass * lanes, entries = work.letters * kLetter;
    for (std::uint32_t i = threadIdx.x; i < entries; i += blockDim.x) {
      const std::uint32_t block = first + i % lanes, four_of_letter = i / lanes;
      uint4 scores{kPadPair, kPadPair, kPadPair, kPadPair};
      if (block < bin.blocks)
        scores =
            work.profiles[std::uint64_t{bin.first_block + block} * work.letters * kFours + four_of_letter];
      shared[i] = scores;
    }
  }
};

__device__ inline Strip strip_at(const Local16& work, std::uint32_t number) {
  if (work.strips) return work.strips[number];
  const std::uint32_t quad = work.begin / kSubjects + number, begin = max(quad * kSubjects, work.begin);
  return {work.places[quad] + begin % kSubjects, work.lengths[begin], begin - work.first_column,
          min((quad + 1) * kSubjects, work.end) - begin};
}

template <Packing packing, int lanes, int rows, bool coarse, bool extend_is_1>
__global__ void __launch_bounds__(Local16Kernel::kWarps* kWarpThreads, rows <= 8    ? 4
                                                                       : rows <= 16 ? 3
                                                                                    : 2)
    local16(const __grid_constant__ Local16 work) {
  using Rows = Profile<lanes, rows>;
  constexpr int kGroups = kWarpThreads / lanes, kSides = packing == Packing::two_subjects ? 2 : 1;
  constexpr int kStride = kSubjects;  // bytes from a subject's residue to its next
  extern __shared__ uint4 profile[];
  __shared__ std::uint32_t taken;

  const int warp = threadIdx.x / kWarpThreads, lane = threadIdx.x % lanes;
  const int group = threadIdx.x % kWarpThreads / lanes;
  const std::uint32_t extended = extend_is_1 ? kExtend1 : work.extended;
  const auto profile_of_lane = static_cast<std::uint32_t>(__cvta_generic_to_shared(profile)) + lane * 16;
  constexpr std::uint32_t kStripsPerItem = Local16Kernel::kWarps * kSides;
  const std::uint32_t batches = (work.strip_count + kStripsPerItem - 1) / kStripsPerItem;
  uint2* const boundary = work.boundary + (std::uint64_t{blockIdx.x} * work.boundary_entries +
                                           std::uint64_t{static_cast<unsigned>(warp)} *
                                               (work.boundary_entries / Local16Kernel::kWarps));

  for (;;) {
    if (threadIdx.x == 0) taken = atomicAdd(work.next_item, 1);
    __syncthreads();
    const std::uint32_t item = taken;
    if (item >= batches * work.bin_count) return;
    const Bin bin = work.bins[item % work.bin_count];
    const std::uint32_t first_strip = item / work.bin_count * kStripsPerItem + warp * kSides;

    Strip strips[kSides];
    const std::uint8_t* subjects[kSides];
    std::uint32_t columns = 0;
    for (int side = 0; side < kSides; ++side) {
      const std::uint32_t number = first_strip + side;
      strips[side] = strip_at(work, min(number, work.strip_count - 1));
      if (number >= work.strip_count) strips[side].subjects = 0;  // does the last one once more, for nothing
      if (first_strip < work.strip_count) columns = max(columns, strips[side].length);
      subjects[side] = work.packed + strips[side].offset + group;
    }
    const std::uint32_t passes = (bin.blocks + lanes - 1) / lanes;

    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      __syncthreads();  // nobody needs the profile of the pass before, or `taken`
      Rows::load(profile, work, bin, pass);
      __syncthreads();
      if (columns == 0) continue;

      const std::uint32_t block_number = pass * lanes + lane;
      LaneBlock block{{0, 0}, {0, 0}, {1, 1}, {kNoRow, kNoRow}};
      if (block_number < bin.blocks) block = work.blocks[bin.first_block + block_number];
      // What enters from above, with the floor in the halves in which a query starts.
      const std::uint32_t kept = (block.starts[0] ? 0 : 0xffffu) | (block.starts[1] ? 0 : 0xffff0000u);
      const std::uint32_t started = kFloorPair & ~kept;
      const bool from_boundary = pass > 0, to_boundary = pass + 1 < passes;

      std::uint32_t H[rows], gap_right[rows], best = kFloorPair;
#pragma unroll
      for (int r = 0; r < rows; ++r) H[r] = gap_right[r] = kFloorPair;
      std::uint32_t diagonal = kFloorPair, gap_down = kFloorPair;

      // At step t a lane is in column t - lane; there are pads before the first and after the last column.
      const std::uint8_t* residue[kSides];
      std::uint32_t letter[kSides];
      for (int side = 0; side < kSides; ++side) {
        residue[side] = subjects[side] - kStride * lane;
        letter[side] = load_byte(residue[side]);
      }
      // The last lane stores at step t what the first needs at step t - (lanes - 1) of the next pass, which
      // goes on for `lanes` steps beyond the last column.
      uint2* above = boundary + group;
      if (to_boundary) above[(columns + lanes - 1 + lane) * kGroups] = {kFloorPair, kFloorPair};
      uint2 entering = from_boundary ? above[(lanes - 1) * kGroups] : uint2{kFloorPair, kFloorPair};
      const std::uint32_t steps = columns + lanes - 1, ending = strips[kSides - 1].length + lane;
#pragma unroll 1
      for (std::uint32_t t = 0; t < steps; ++t) {
        std::uint32_t next[kSides];
        for (int side = 0; side < kSides; ++side) {
          // The second subject may be much shorter, and what follows it be another, or more of the same.
          next[side] = work.letters - 1;
          if (side == 0 || t + 1 < ending) next[side] = load_byte(residue[side] += kStride);
        }

        std::uint32_t up = __shfl_up_sync(~0u, H[rows - 1], 1, lanes);
        std::uint32_t down = __shfl_up_sync(~0u, gap_down, 1, lanes);
        if (lane == 0) {
          up = entering.x;
          down = entering.y;
        }
        if (from_boundary) entering = above[lanes * kGroups];
        up = (up & kept) | started;
        down = (down & kept) | started;

        std::uint32_t fours[kSides];
        for (int side = 0; side < kSides; ++side)
          fours[side] = profile_of_lane + letter[side] * (Rows::kLetter * 16);
        std::uint32_t s[4];
        const auto load_four = [&](int four) {
          uint4 scores = load_shared(fours[0] + four * lanes * 16);
          if constexpr (packing == Packing::two_subjects) {
            // One subject's score is the low half of a word whose high half is 0: a multiplication, beside
            // the maxima's pipe, moves the other's up and joins them.
            const uint4 high = load_shared(fours[kSides - 1] + four * lanes * 16);
            scores = {high.x * 0x10000u + scores.x, high.y * 0x10000u + scores.y,
                      high.z * 0x10000u + scores.z, high.w * 0x10000u + scores.w};
          }
          s[0] = scores.x, s[1] = scores.y, s[2] = scores.z, s[3] = scores.w;
        };
        load_four(0);
        std::uint32_t ahead = __viaddmax_s16x2(diagonal, s[0], gap_right[0]);
        diagonal = up;
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          const std::uint32_t here = ahead;
          if (r + 1 < rows) {  // the row below takes H of this row before it is overwritten
            if ((r + 1) % 4 == 0) load_four((r + 1) / 4);
            ahead = __viaddmax_s16x2(H[r], s[(r + 1) % 4], gap_right[r + 1]);
          }
          const std::uint32_t h = __vimax3_s16x2(here, down, kFloorPair);
          const std::uint32_t gap = h + work.opened;
          H[r] = h;
          down = __viaddmax_s16x2(down, extended, gap);
          gap_right[r] = __viaddmax_s16x2(gap_right[r], extended, gap);
          if constexpr (coarse) {
            // Every fourth row and the last one, two at a time.
            constexpr int kLastFourth = rows / 4 * 4 - 1;
            if (r % 8 == 7)
              best = __vimax3_s16x2(best, H[r - 4], h);
            else if (r == rows - 1)
              best = r % 8 > 3 ? __vimax3_s16x2(best, H[kLastFourth], h) : __vmaxs2(best, h);
          } else if (r % 2 == 1) {
            best = __vimax3_s16x2(best, H[r - 1], h);
          } else if (r == rows - 1) {
            best = __vmaxs2(best, h);
          }
        }
        gap_down = down;
        if (to_boundary && lane == lanes - 1) *above = {H[rows - 1], gap_down};
        above += kGroups;
        for (int side = 0; side < kSides; ++side) letter[side] = next[side];
      }

      for (int half = 0; half < 2; ++half) {
        const std::int32_t score = static_cast<std::int32_t>(half ? best >> 16 : best & 0xffff) - kFloor;
        const Strip& strip = strips[packing == Packing::two_subjects ? half : 0];
        const std::uint32_t row = block.row[packing == Packing::two_subjects ? 0 : half];
        if (row != kNoRow && score > 0 && group < static_cast<int>(strip.subjects))
          atomicMax(work.scores + row * work.stride + strip.column + group, score);
      }
    }
  }
}

}  // namespace alnus::cuda
