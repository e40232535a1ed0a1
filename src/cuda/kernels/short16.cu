#include <utility>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/scores16.cuh"
#include "cuda/kernels/short16.h"

namespace alnus::cuda {
namespace {

// A subject. Each thread of the warp holds one of the subject's next kWarpThreads residues.
struct ShortSubject {
  const std::uint8_t* residues;
  std::uint32_t length, letter;

  __device__ ShortSubject(const Scores16& work, std::uint32_t number, std::uint32_t end)
      : residues(nullptr), length(0), letter(0) {
    if (number >= end) return;
    residues = work.packed + work.places[number / kSubjects] + number % kSubjects;
    length = work.lengths[number];
    load(0);
  }
  __device__ void load(std::uint32_t first) {
    const std::uint32_t mine = first + threadIdx.x % kWarpThreads;
    if (mine < length) letter = load_byte(residues + mine * kSubjects);
  }
};

template <int rows>
// Goal::ends: H(i,0) of each query, the border before its first column, in shared memory.
struct FirstColumn {
  static constexpr int kFours = rows / 4;

  // Fills the shared memory with H(i,0) of the rows of all the bin's lane blocks, four rows in each entry.
  static __device__ void fill(uint4* shared, const Scores16& work, const Bin& bin) {
    for (std::uint32_t i = threadIdx.x; i < kFours * kShortLanes; i += blockDim.x) {
      const std::uint32_t of_bin = i % kShortLanes;
      const auto after = static_cast<int>(i / kShortLanes * 4);
      const LaneBlock block = block_at<rows>(work, of_bin < bin.blocks ? bin.first_block + of_bin : kNoBlock);
      shared[i] = {left_border(work, block.before, after + 1), left_border(work, block.before, after + 2),
                   left_border(work, block.before, after + 3), left_border(work, block.before, after + 4)};
    }
  }
  // Sets the thread's rows to the border before the first column.
  static __device__ void enter(HalvesOfRows<rows>& at, std::uint32_t shared, std::uint32_t opened) {
#pragma unroll
    for (int four = 0; four < kFours; ++four) {
      const uint4 H = load_shared(shared + four * kShortLanes * 16);
      at.H[4 * four] = H.x, at.H[4 * four + 1] = H.y, at.H[4 * four + 2] = H.z, at.H[4 * four + 3] = H.w;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) at.gap_right[r] = at.H[r] + opened;
  }
};

constexpr int blocks_at_a_time(int rows) { return rows <= 12 ? 4 : rows <= 20 ? 3 : 2; }

template <int rows, Goal goal, bool extend_is_1>
__global__ void __launch_bounds__(Short16Kernel::kWarps* kWarpThreads, blocks_at_a_time(rows))
    short16(const __grid_constant__ Scores16 work) {
  using Rows = Profile<kShortLanes, rows>;
#ifdef __CUDACC__
  extern __shared__ uint4 profile[];
#else
  uint4* const profile = dynamic_shared_memory<uint4>();  // tests/cuda_emulation
#endif
  __shared__ std::uint32_t taken;

  const std::uint32_t warp = threadIdx.x / kWarpThreads, lane = threadIdx.x % kWarpThreads;
  const std::uint32_t extended = extend_is_1 ? kExtend1 : work.extended;
  uint4* const first_column = profile + work.letters * Rows::kLetter;
  const auto shared_of_lane = [&](const uint4* shared) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)) + lane * 16;
  };
  const std::uint32_t profile_of_lane = shared_of_lane(profile),
                      first_column_of_lane = shared_of_lane(first_column);
  const std::uint32_t items = work.strip_count * work.bin_count;

  for (;;) {
    if (threadIdx.x == 0) {
      const auto is_unwanted = [&](std::uint32_t item) {
        return item / work.bin_count < work.bins[item % work.bin_count].first_strip;
      };
      do taken = atomicAdd(work.next_item, 1);
      while (taken < items && is_unwanted(taken));
    }
    const bool stop = stops(work.stop);
    __syncthreads();
    const std::uint32_t item = taken;
    if (item >= items) return;
    const Bin bin = work.bins[item % work.bin_count];
    Rows::load(profile, work, bin, 0);
    if constexpr (goal == Goal::ends) FirstColumn<rows>::fill(first_column, work, bin);
    if (__syncthreads_or(stop)) return;

    const LaneBlock block = block_at<rows>(work, lane < bin.blocks ? bin.first_block + lane : kNoBlock);
    const std::uint32_t corner = goal == Goal::ends ? left_border(work, block.before, 0) : kFloorPair;
    const std::uint32_t begin = work.begin + item / work.bin_count * work.batch,
                        end = min(begin + work.batch, work.end);
    ShortSubject next(work, begin + warp, end);
#pragma unroll 1
    for (std::uint32_t number = begin + warp; number < end; number += Short16Kernel::kWarps) {
      ShortSubject subject = next;
      next = ShortSubject(work, number + Short16Kernel::kWarps, end);  // loaded while the loop below computes
      if (subject.length == 0) continue;

      HalvesOfRows<rows> at;
      std::uint32_t diagonal = corner, middle = kFloorPair, best = kFloorPair, border = kFloorPair;
      if constexpr (goal == Goal::ends) {
        FirstColumn<rows>::enter(at, first_column_of_lane, work.opened);
        best = at.H[rows - 1];
        const std::int32_t opened_above = work.borders.zero - work.borders.above.open;
        border = both_halves(opened_above, opened_above);
      } else {
#pragma unroll
        for (int r = 0; r < rows; ++r) at.H[r] = at.gap_right[r] = kFloorPair;
      }
#pragma unroll 1
      for (std::uint32_t t = 0; t < subject.length; ++t) {
        if (t > 0 && t % kWarpThreads == 0) subject.load(t);
        const std::uint32_t scores_of_letter =
            profile_of_lane + __shfl_sync(~0u, subject.letter, t % kWarpThreads) * (Rows::kLetter * 16);
        std::uint32_t down = kFloorPair;
        if constexpr (goal == Goal::ends) {
          border = add_max<goal>(border, work.borders.above.extended, kFloorPair);
          down = border + work.opened;
        }
        next_column<Packing::two_queries, kShortLanes, rows, goal>(at, diagonal, down, middle, best,
                                                                   &scores_of_letter, work.opened, extended);
        diagonal = border;
      }
      std::int32_t* const scores = work.scores + (number - work.first_column);
      if constexpr (goal == Goal::ends) {
        tell_ends(work, block, at, border, best, scores);
      } else {
        for (int half = 0; half < 2; ++half) {
          const std::int32_t score = half_of(best, half) - kFloor;
          if (block.row[half] != kNoRow && score > 0)
            atomicMax(scores + block.row[half] * work.stride, score);
        }
      }
    }
    __syncthreads();  // before the profile and `taken` are written anew
  }
}

using Kernel = void (*)(Scores16);

template <int rows>
Kernel choose(Goal goal, std::uint32_t extend) {
  if (goal == Goal::ends) return short16<rows, Goal::ends, false>;
  return extend == 1 ? short16<rows, Goal::local, true> : short16<rows, Goal::local, false>;
}

template <std::size_t... number>
Kernel find(int rows, Goal goal, std::uint32_t extend, std::index_sequence<number...>) {
  Kernel found = nullptr;
  ((kShortRows[number] == rows ? void(found = choose<kShortRows[number]>(goal, extend)) : void()), ...);
  return found;
}

std::size_t dynamic_bytes(int rows, std::uint32_t letters) {
  return sizeof(uint4) * (letters + 1) * static_cast<unsigned>(rows / 4 * kShortLanes);
}

}  // namespace

Short16Kernel::Short16Kernel(int rows, Goal goal, std::uint32_t extend)
    : rows_(rows), kernel_(find(rows, goal, extend, std::make_index_sequence<std::size(kShortRows)>())) {}

// The dynamic shared memory, which is the profile and behind it the first column, and the variable `taken` of
// the kernel.
std::size_t Short16Kernel::shared_bytes(int rows, std::uint32_t letters) {
  return dynamic_bytes(rows, letters) + sizeof(uint4);
}

cudaError_t Short16Kernel::allow_shared(std::uint32_t letters) const {
  return cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(dynamic_bytes(rows_, letters)));
}

cudaError_t Short16Kernel::occupancy(std::uint32_t letters, int* blocks) const {
  const cudaError_t status = allow_shared(letters);
  if (status != cudaSuccess) return status;
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel_, kWarps * kWarpThreads,
                                                       dynamic_bytes(rows_, letters));
}

cudaError_t Short16Kernel::launch(const Scores16& work, int blocks, cudaStream_t stream) const {
  const cudaError_t status = allow_shared(work.letters);
  if (status != cudaSuccess) return status;
  return launch_kernel(kernel_, static_cast<unsigned>(blocks), kWarps * kWarpThreads,
                       dynamic_bytes(rows_, work.letters), stream, work);
}

}  // namespace alnus::cuda
