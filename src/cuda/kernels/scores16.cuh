// The kernel scores16, which scores16.cu instantiates. The recurrence is that of core/reference.cpp, on
// stored scores, and H is at least the floor kFloor in every cell. For local alignments the floor is the
// recurrence's 0; with Goal::ends it lies below all scores. `gap_right` is E, the gap in the query, which
// goes from column to column; `down` is F, the gap in the subject, which goes down the rows.
#pragma once

#include <climits>
#include <type_traits>

#include "cuda/kernels/halves.cuh"
#include "cuda/kernels/stop.cuh"

namespace alnus::cuda {

constexpr std::uint32_t kExtend1 = halves_addend(1);
constexpr std::uint32_t kNoBlock = UINT32_MAX;
constexpr std::uint32_t kStepsBetweenLooks = 1 << 14;  // steps between looks at the stop word, inside a pass
constexpr std::uint32_t kPadPair = 0xffffffffu;        // a score of -1 in both halves

// Loads four words of shared memory. In PTX, because the compiler would compute the base of the shared memory
// anew in every step.
__device__ inline uint4 load_shared(std::uint32_t address) {
#ifdef __CUDA_ARCH__
  uint4 four;
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(four.x), "=r"(four.y), "=r"(four.z), "=r"(four.w)
               : "r"(address));
  return four;
#else
  return *static_cast<const uint4*>(__cvta_shared_to_generic(address));
#endif
}

// The profile in shared memory, for the lanes of a group: [letter][four rows][lane], four scores in a load. A
// letter takes a multiple of 128 bytes, so that eight lanes read from all banks, each once, whatever their
// letters are. Groups of 4 lanes would need a second copy.
template <int lanes, int rows>
struct Profile {
  static constexpr int kFours = (rows + 3) / 4;
  static constexpr int kLetter = kFours * lanes;  // uint4 for each letter

  // Copies the profile of a pass of the bin to `shared`. To be called by all threads of the block.
  static __device__ void load(uint4* shared, const Scores16& work, const Bin& bin, std::uint32_t pass) {
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

// The strip of this number: of the list, or the number-th quad of [begin, end).
__device__ inline Strip strip_at(const Scores16& work, std::uint32_t number) {
  if (work.strips) return work.strips[number];
  const std::uint32_t quad = work.begin / kSubjects + number, begin = max(quad * kSubjects, work.begin);
  return {work.places[quad] + begin % kSubjects, work.lengths[begin], begin - work.first_column,
          min((quad + 1) * kSubjects, work.end) - begin};
}

// H and E of a lane's rows, in both halves.
template <int rows>
struct HalvesOfRows {
  std::uint32_t H[rows], gap_right[rows];
};

// Moves a lane on to the next column. `diagonal`: H of the row above in the column before. `down`: F, which
// comes from the row above and goes to the row below. `middle`: out, F below the middle row. `best`: the best
// so far. `profile`: shared memory addresses at which the scores of the column's letter begin, one for each
// subject.
template <Packing packing, int lanes, int rows, Goal goal>
__device__ __forceinline__ void next_column(HalvesOfRows<rows>& at, std::uint32_t diagonal,
                                            std::uint32_t& down, std::uint32_t& middle, std::uint32_t& best,
                                            const std::uint32_t* profile, std::uint32_t opened,
                                            std::uint32_t extended) {
  std::uint32_t s[4];
  const auto load_four = [&](int four) {
    uint4 scores = load_shared(profile[0] + four * lanes * 16);
    if constexpr (packing == Packing::two_subjects) {
      // Each score is the low half of a word whose high half is 0. A multiplication, which does not use the
      // pipe of the maxima, moves the second subject's score up and joins the two.
      const uint4 high = load_shared(profile[1] + four * lanes * 16);
      scores = {high.x * 0x10000u + scores.x, high.y * 0x10000u + scores.y, high.z * 0x10000u + scores.z,
                high.w * 0x10000u + scores.w};
    }
    s[0] = scores.x, s[1] = scores.y, s[2] = scores.z, s[3] = scores.w;
  };
  load_four(0);
  std::uint32_t ahead = add_max<goal>(diagonal, s[0], at.gap_right[0]);
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const std::uint32_t here = ahead;
    if (r + 1 < rows) {  // the row below takes this row's H before it is overwritten
      if ((r + 1) % 4 == 0) load_four((r + 1) / 4);
      ahead = add_max<goal>(at.H[r], s[(r + 1) % 4], at.gap_right[r + 1]);
    }
    const std::uint32_t h = max_of<goal>(here, down, kFloorPair);
    const std::uint32_t gap = h + opened;
    at.H[r] = h;
    down = add_max<goal>(down, extended, gap);
    if (r == rows / 2 - 1) middle = down;
    at.gap_right[r] = add_max<goal>(at.gap_right[r], extended, gap);
    if constexpr (goal == Goal::coarse) {
      // Looks at every fourth row and the last one, two at a time.
      constexpr int kLastFourth = rows / 4 * 4 - 1;
      if (r % 8 == 7)
        best = max_of<goal>(best, at.H[r - 4], h);
      else if (r == rows - 1)
        best = r % 8 > 3 ? max_of<goal>(best, at.H[kLastFourth], h) : max_of<goal>(best, h);
    } else if constexpr (goal == Goal::local) {
      if (r % 2 == 1)
        best = max_of<goal>(best, at.H[r - 1], h);
      else if (r == rows - 1)
        best = max_of<goal>(best, h);
    } else if (r == rows - 1) {
      best = max_of<goal>(best, h);  // only the lane block's last row counts
    }
  }
}

// Returns the lane block of this number. kNoBlock is for lanes that have none, because the bin has no more:
// they get a lane block of padding.
template <int rows>
__device__ inline LaneBlock block_at(const Scores16& work, std::uint32_t number) {
  if (number != kNoBlock) return work.blocks[number];
  return {{0, 0}, {-rows, -rows}, {0, 0}, {1, 1}, {0, 0}, {kNoRow, kNoRow}};
}

// Goal::ends: the stored H(i + after, 0) of each half's query.
__device__ inline std::uint32_t left_border(const Scores16& work, const std::int32_t (&i)[2], int after) {
  return both_halves(left_border(work.borders, i[0] + after), left_border(work.borders, i[1] + after));
}

// Goal::ends: sets a lane to the left border, before its first column.
template <int rows>
__device__ __forceinline__ void enter(const Scores16& work, const LaneBlock& block, HalvesOfRows<rows>& at,
                                      std::uint32_t& diagonal, std::uint32_t& best) {
  diagonal = left_border(work, block.before, 0);
  if (block.before[0] < 0 || block.before[1] < 0) {
#pragma unroll
    for (int r = 0; r < rows; ++r) at.H[r] = left_border(work, block.before, r + 1);
  } else {
    at.H[0] = left_border(work, block.before, 1);
#pragma unroll
    for (int r = 1; r < rows; ++r)
      at.H[r] = add_max<Goal::ends>(at.H[r - 1], work.borders.left.extended, kFloorPair);
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) at.gap_right[r] = at.H[r] + work.opened;
  best = at.H[rows - 1];
}

// Goal::ends: after a subject's last column, raises the scores to those of the best cells of the lane block
// in which an alignment may end. `above`: H(0,j) of that column. `best`: the best of the block's last row.
// `scores`: the subject's, in the tile's first row.
template <int rows>
__device__ __forceinline__ void tell_ends(const Scores16& work, const LaneBlock& block,
                                          const HalvesOfRows<rows>& at, std::uint32_t above,
                                          std::uint32_t best, std::int32_t* scores) {
  std::uint32_t highest = at.H[0];
#pragma unroll
  for (int r = 2; r < rows; r += 2) highest = max_of<Goal::ends>(highest, at.H[r - 1], at.H[r]);
  highest = max_of<Goal::ends>(highest, at.H[rows - 1]);
  for (int half = 0; half < 2; ++half) {
    if (block.row[half] == kNoRow) continue;
    std::int32_t score = INT_MIN;
    if (block.ends[half]) score = half_of(work.free_ends.subject_end ? best : at.H[rows - 1], half);
    if (work.free_ends.query_end) {
      score = max(score, half_of(highest, half));
      if (block.starts[half]) score = max(score, half_of(above, half));
    }
    if (score != INT_MIN) atomicMax(scores + block.row[half] * work.stride, score - work.borders.zero);
  }
}

// Keeps what Trace16 asks for, while a warp goes through the trace windows (Trace16) of a strip in one pass.
template <int rows>
class Tracer {
 public:
  __device__ Tracer(const Trace16& trace, std::uint32_t pass, std::uint32_t strip, std::uint32_t strips) {
    const std::uint32_t thread = thread_here();
    const TracePlace place(trace, pass, strip, strips);
    next_ = trace.windows + place.windows + thread;
    best_ = trace.bests + place.bests + thread;
  }
  __device__ void begin_window(const HalvesOfRows<rows>& at, std::uint32_t best) {
#pragma unroll
    for (int r = 0; r < rows; r += 2) keep({at.H[r], at.gap_right[r], at.H[r + 1], at.gap_right[r + 1]});
    end_window(best);
  }
  __device__ void end_window(std::uint32_t best) {  // stores the best before the next window
    *best_ = best;
    best_ += kWarpThreads;
  }
  __device__ void step(const HalvesOfRows<rows>& at, std::uint32_t middle, std::uint32_t down) {
    keep({at.H[rows / 2 - 1], middle, at.H[rows - 1], down});
  }
  // The address is computed anew here, because the loop has no registers to keep it in.
  __device__ void last_column(const HalvesOfRows<rows>& at, const Trace16& trace, std::uint32_t pass,
                              std::uint32_t strip, std::uint32_t strips) const {
    uint4* const fours =
        trace.last_columns + TracePlace(trace, pass, strip, strips).last_column + thread_here();
#pragma unroll
    for (int r = 0; r < rows; r += 4)
      fours[r / 4 * kWarpThreads] = {at.H[r], at.H[r + 1], at.H[r + 2], at.H[r + 3]};
  }

 private:
  static __device__ std::uint32_t thread_here() {
    return trace_thread(threadIdx.x % kNarrowLanes, threadIdx.x % kWarpThreads / kNarrowLanes);
  }
  __device__ void keep(const uint4& four) {
    *next_ = four;
    next_ += kWarpThreads;
  }
  uint4* next_;
  std::uint32_t* best_;
};
struct NoTracer {
  __device__ NoTracer(const Trace16&, std::uint32_t, std::uint32_t, std::uint32_t) {}
};

// To be called by one thread of a block, once. True if the block is the first one on its multiprocessor.
__device__ inline bool takes_first_items(const Spread& spread) {
  if (spread.items == 0) return false;
  std::uint32_t multiprocessor = 0;
#ifdef __CUDA_ARCH__
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
#endif
  return atomicAdd(spread.counters + 1 + multiprocessor % spread.multiprocessors, 1) == 0;
}

// Takes the next of `items` items: of the first ones if the block comes first on its multiprocessor (Spread),
// else of the others; when those are taken, of the other kind. If none is left, the result is `items` or
// more.
__device__ inline std::uint32_t next_item(const Scores16& work, bool comes_first, std::uint32_t items) {
  const auto first_items = [&] {
    const std::uint32_t item = atomicAdd(work.spread.counters, 1);
    return item < work.spread.items ? item : items;
  };
  const auto others = [&] { return work.spread.items + atomicAdd(work.next_item, 1); };
  std::uint32_t item = comes_first ? first_items() : others();
  if (work.spread.items > 0 && item >= items) item = comes_first ? others() : first_items();
  return item;
}

template <Packing packing, int lanes, int rows, Goal goal, bool extend_is_1, bool traced, bool looks>
__global__ void __launch_bounds__(Scores16Kernel::kWarps* kWarpThreads, rows <= 8    ? 4
                                                                        : rows <= 16 ? 3
                                                                                     : 2)
    scores16(const __grid_constant__ Scores16 work) {
  using Rows = Profile<lanes, rows>;
  constexpr int kGroups = kWarpThreads / lanes, kSides = packing == Packing::two_subjects ? 2 : 1;
  constexpr int kStride = kSubjects;  // bytes from one residue of a subject to the next
#ifdef __CUDACC__
  extern __shared__ uint4 profile[];
#else
  uint4* const profile = dynamic_shared_memory<uint4>();  // tests/cuda_emulation
#endif
  __shared__ std::uint32_t taken;
  __shared__ bool comes_first;

  const int warp = threadIdx.x / kWarpThreads, lane = threadIdx.x % lanes;
  const int group = threadIdx.x % kWarpThreads / lanes;
  const std::uint32_t extended = extend_is_1 ? kExtend1 : work.extended;
  const auto profile_of_lane = static_cast<std::uint32_t>(__cvta_generic_to_shared(profile)) + lane * 16;
  constexpr std::uint32_t kStripsPerItem = Scores16Kernel::kWarps * kSides;
  const std::uint32_t batches = (work.strip_count + kStripsPerItem - 1) / kStripsPerItem;
  uint2* const boundary = work.boundary + (std::uint64_t{blockIdx.x} * work.boundary_entries +
                                           std::uint64_t{static_cast<unsigned>(warp)} *
                                               (work.boundary_entries / Scores16Kernel::kWarps));

  const std::uint32_t items = batches * work.bin_count;
  constexpr bool kSpreads = packing == Packing::two_subjects;
  if constexpr (kSpreads)
    if (threadIdx.x == 0) comes_first = takes_first_items(work.spread);
  const auto take = [&] {
    if (threadIdx.x > 0) return;
    const auto is_unwanted = [&](std::uint32_t item) {
      return (item / work.bin_count + 1) * kStripsPerItem <= work.bins[item % work.bin_count].first_strip;
    };
    do taken = kSpreads ? next_item(work, comes_first, items) : atomicAdd(work.next_item, 1);
    while (taken < items && is_unwanted(taken));
  };
  if constexpr (kSpreads) take();
  for (;;) {
    if constexpr (!kSpreads) take();
    __syncthreads();
    const std::uint32_t item = taken;
    if (item >= items) return;
    const Bin bin = work.bins[item % work.bin_count];
    const std::uint32_t first_strip = item / work.bin_count * kStripsPerItem + warp * kSides;

    Strip strips[kSides];
    const std::uint8_t* subjects[kSides];
    std::uint32_t columns = 0;
    for (int side = 0; side < kSides; ++side) {
      const std::uint32_t number = first_strip + side;
      strips[side] = strip_at(work, min(number, work.strip_count - 1));
      // A warp without a strip computes the last strip again, and writes no score.
      if (number >= work.strip_count) strips[side].subjects = 0;
      if (first_strip < work.strip_count) columns = max(columns, strips[side].length);
      subjects[side] = work.packed + strips[side].offset + group;
    }
    const std::uint32_t passes = (bin.blocks + lanes - 1) / lanes;

    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      const bool stop = stops(work.stop);  // read while the profile is loaded
      __syncthreads();                     // the last pass's profile and `taken` are not needed any more
      Rows::load(profile, work, bin, pass);
      if (__syncthreads_or(stop)) return;
      if (columns == 0) continue;

      // The lane block is loaded wherever it is needed, because the loop has no registers to keep it in.
      const std::uint32_t of_bin = pass * lanes + lane,
                          block_number = of_bin < bin.blocks ? bin.first_block + of_bin : kNoBlock;
      const auto block = [&] { return block_at<rows>(work, block_number); };
      // `kept` has the halves that take H and F from above. In the other halves a query starts, and the floor
      // comes in, or with Goal::ends the upper border.
      const std::uint32_t kept = (block().starts[0] ? 0 : 0xffffu) | (block().starts[1] ? 0 : 0xffff0000u);
      const std::uint32_t started = kFloorPair & ~kept;
      const bool from_boundary = pass > 0, to_boundary = pass + 1 < passes;

      HalvesOfRows<rows> at;
#pragma unroll
      for (int r = 0; r < rows; ++r) at.H[r] = at.gap_right[r] = kFloorPair;
      std::uint32_t diagonal = kFloorPair, down = kFloorPair, middle = kFloorPair, best = kFloorPair;
      std::conditional_t<traced, Tracer<rows>, NoTracer> tracer(work.trace, bin.first_pass + pass,
                                                                first_strip, work.strip_count);
      // Goal::ends: H(0,j) of the lane's column, and the step of the subject's last column.
      std::uint32_t border = kFloorPair, last_step = UINT32_MAX;
      if constexpr (goal == Goal::ends) {
        if (group < static_cast<int>(strips[0].subjects))
          last_step = work.lengths[work.first_column + strips[0].column + group] - 1 + lane;
      }

      // At step t a lane is in column t - lane. There are pads before the first and after the last column.
      const std::uint8_t* residue[kSides];
      std::uint32_t letter[kSides];
      for (int side = 0; side < kSides; ++side) {
        residue[side] = subjects[side] - kStride * lane;
        letter[side] = load_byte(residue[side]);
      }
      // What the last lane stores at step t, the first lane needs at step t - (lanes - 1) of the next pass.
      // The next pass reads `lanes` entries beyond those that are stored: these get the floor here.
      uint2* row_above = boundary + group;
      if (to_boundary) row_above[(columns + lanes - 1 + lane) * kGroups] = {kFloorPair, kFloorPair};
      uint2 entering = from_boundary ? row_above[(lanes - 1) * kGroups] : uint2{kFloorPair, kFloorPair};
      const std::uint32_t steps = columns + lanes - 1, ending = strips[kSides - 1].length + lane;
      std::uint32_t t = 0, pause = 0;
#pragma unroll 1
      do {
        pause = looks ? min(pause + kStepsBetweenLooks, steps) : steps;
#pragma unroll 1
        for (; t < pause; ++t) {
          std::uint32_t next[kSides];
          for (int side = 0; side < kSides; ++side) {
            // The second subject may be much shorter. What follows its last column may be another subject or
            // more of the same one, and pads are taken instead.
            next[side] = work.letters - 1;
            if (side == 0 || t + 1 < ending) next[side] = load_byte(residue[side] += kStride);
          }

          std::uint32_t up = __shfl_up_sync(~0u, at.H[rows - 1], 1, lanes);
          down = __shfl_up_sync(~0u, down, 1, lanes);
          if (lane == 0) {
            up = entering.x;
            down = entering.y;
          }
          if (from_boundary) entering = row_above[lanes * kGroups];
          if constexpr (goal == Goal::ends) {
            border = add_max<goal>(border, work.borders.above.extended, kFloorPair);
            if (t == static_cast<std::uint32_t>(lane)) {
              enter(work, block(), at, diagonal, best);
              const std::int32_t first =
                  work.borders.zero - work.borders.above.open - work.borders.above.extend;
              border = both_halves(first, first);
            }
            up = (up & kept) | (border & ~kept);
            down = (down & kept) | ((border + work.opened) & ~kept);
          } else {
            up = (up & kept) | started;
            down = (down & kept) | started;
          }

          if constexpr (traced)
            if (t % kWindow == 0) tracer.begin_window(at, best);

          std::uint32_t scores_of_letter[kSides];
          for (int side = 0; side < kSides; ++side)
            scores_of_letter[side] = profile_of_lane + letter[side] * (Rows::kLetter * 16);
          next_column<packing, lanes, rows, goal>(at, diagonal, down, middle, best, scores_of_letter,
                                                  work.opened, extended);
          diagonal = up;
          if constexpr (goal == Goal::ends) {
            if (t == last_step) {
              tell_ends(work, block(), at, border, best, work.scores + strips[0].column + group);
              if constexpr (traced)
                if (work.free_ends.query_end)
                  tracer.last_column(at, work.trace, bin.first_pass + pass, first_strip, work.strip_count);
            }
          }
          if constexpr (traced) tracer.step(at, middle, down);
          if (to_boundary && lane == lanes - 1) *row_above = {at.H[rows - 1], down};
          row_above += kGroups;
          for (int side = 0; side < kSides; ++side) letter[side] = next[side];
        }
        // When this loop has been stopped, the kernel returns at the begin of its next pass.
      } while (looks && pause < steps && !__any_sync(~0u, stops(work.stop)));

      if constexpr (traced) tracer.end_window(best);
      for (int half = 0; goal != Goal::ends && half < 2; ++half) {
        const std::int32_t score = half_of(best, half) - kFloor;
        const Strip& strip = strips[packing == Packing::two_subjects ? half : 0];
        const std::uint32_t row = block().row[packing == Packing::two_subjects ? 0 : half];
        if (row != kNoRow && score > 0 && group < static_cast<int>(strip.subjects))
          atomicMax(work.scores + row * work.stride + strip.column + group, score);
      }
    }
    if constexpr (kSpreads) take();
  }
}

}  // namespace alnus::cuda
