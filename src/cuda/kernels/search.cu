#include "cuda/kernels/launch.h"
#include "cuda/kernels/search.h"
#include "cuda/kernels/tile_pair.cuh"

namespace alnus::cuda {
namespace {

constexpr int kThreads = 256;

// One thread block for each quad.
__global__ void pack(const __grid_constant__ Packing4 work) {
  const std::uint32_t quad = blockIdx.x;
  __shared__ RawSequence four[kSubjects];
  if (threadIdx.x < kSubjects) four[threadIdx.x] = work.sequences[quad * kSubjects + threadIdx.x];
  __syncthreads();
  const auto columns = static_cast<std::int64_t>(four[0].length) + kPadColumns;
  auto* const first = reinterpret_cast<std::uint32_t*>(work.packed + work.places[quad]);
  for (std::int64_t column = static_cast<std::int64_t>(threadIdx.x) - kPadColumns; column < columns;
       column += blockDim.x) {
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < kSubjects; ++i) {
      const bool inside = column >= 0 && column < four[i].length;
      const std::uint8_t residue = inside ? work.raw[four[i].offset + column] : 255;
      word |= static_cast<std::uint32_t>(work.letters[residue]) << (8 * i);
    }
    first[column] = word;
  }
}

__device__ std::int32_t score_of(const Profiles& work, const LaneBlock& block, int half, std::uint32_t row,
                                 std::uint32_t letter) {
  const std::int32_t residue = static_cast<std::int32_t>(row) + min(block.before[half], 0);
  if (residue < 0 || residue >= block.count[half]) return work.pad_score;
  return letter + 1 < work.letters
             ? work.scores[work.queries[block.residues[half] + residue] * kMaxLetters + letter]
             : -1;
}

// One thread for each letter and four rows of a lane block.
__global__ void fill_profiles(const __grid_constant__ Profiles work) {
  const std::uint32_t fours = (work.rows + 3) / 4;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::uint64_t{work.block_count} * work.letters * fours) return;
  const LaneBlock& block = work.blocks[i / (work.letters * fours)];
  const std::uint32_t letter = i / fours % work.letters, first_row = i % fours * 4;
  std::uint32_t words[4];
  for (std::uint32_t r = 0; r < 4; ++r) {
    words[r] = 0;
    for (int half = 0; half < 2; ++half) {
      if (half == 1 && block.row[1] == kOneQuery) continue;  // both halves take the low half's scores
      const std::int32_t score = score_of(work, block, half, first_row + r, letter);
      words[r] |= (static_cast<std::uint32_t>(score) & 0xffff) << (16 * half);
    }
  }
  work.profiles[i] = {words[0], words[1], words[2], words[3]};
}

// One thread for each letter and 16 rows of one half of a lane block.
__global__ void fill_scores_of_rows(const __grid_constant__ Profiles work, uint4* scores_of_rows) {
  const std::uint32_t sixteens = work.rows / kRowsOfFour;
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= std::uint64_t{work.block_count} * 2 * sixteens * work.letters) return;
  const std::uint32_t letter = i % work.letters, first_row = i / work.letters % sixteens * kRowsOfFour;
  const std::uint64_t half_block = i / work.letters / sixteens;
  std::uint32_t words[4] = {};
  for (std::uint32_t r = 0; r < kRowsOfFour; ++r) {
    const std::int32_t score =
        score_of(work, work.blocks[half_block / 2], static_cast<int>(half_block % 2), first_row + r, letter);
    words[r / 4] |= (static_cast<std::uint32_t>(score) & 0xff) << (8 * (r % 4));
  }
  scores_of_rows[i] = {words[0], words[1], words[2], words[3]};
}

__device__ bool has(const KnownColumns& known, std::uint32_t column) {
  return column >= known.begin && column < known.end;
}

constexpr std::uint32_t kSelectors = 1024, kBestsOfThread = kMostSelected / kSelectors;

// The best scores of a thread's part of a row, the highest first.
struct Bests {
  std::int32_t scores[kBestsOfThread];

  __device__ void add(std::int32_t score) {
#pragma unroll
    for (std::uint32_t k = 0; k < kBestsOfThread; ++k) {
      const std::int32_t lower = min(scores[k], score);
      scores[k] = max(scores[k], score);
      score = lower;
    }
  }
};

// One thread block for each row. Each thread keeps the best score of its part of the row, or the
// kBestsOfThread best, among those that reach their floors. At least `most` pairs reach the `most`-th best of
// all scores that are kept, so that no pair below it is wanted.
__global__ void __launch_bounds__(kSelectors) select(const __grid_constant__ Selection work) {
  __shared__ std::int32_t bests[kMostSelected];
  __shared__ std::int32_t threshold;
  const std::uint32_t row = blockIdx.x;
  const std::int32_t* const scores = work.scores + row * work.stride;
  const std::int32_t* const floors = work.floors + row * kFloorRanges;
  const std::uint32_t width = floor_width(work.columns);
  const KnownColumns known = work.known[row];
  if (threadIdx.x == 0) threshold = INT32_MIN;
  if (work.most > 0 && work.most <= kMostSelected) {
    Bests best;
    for (std::int32_t& score : best.scores) score = INT32_MIN;
    for (std::uint32_t column = threadIdx.x; column < work.columns; column += kSelectors)
      if (has(known, column) && scores[column] >= floors[column / width]) best.add(scores[column]);
    const std::uint32_t kept = work.most <= kSelectors ? 1 : kBestsOfThread, all = kept * kSelectors;
    for (std::uint32_t k = 0; k < kept; ++k) bests[k * kSelectors + threadIdx.x] = best.scores[k];
    __syncthreads();
    for (std::uint32_t number = threadIdx.x; number < all; number += kSelectors) {
      // The rank of this score, by score and then by number.
      const std::int32_t mine = bests[number];
      std::uint32_t better = 0;
      for (std::uint32_t other = 0; other < all; ++other)
        better += bests[other] > mine || (bests[other] == mine && other < number);
      if (better == work.most - 1) threshold = mine;
    }
  }
  __syncthreads();
  for (std::uint32_t column = threadIdx.x; column < work.columns; column += kSelectors) {
    const std::int32_t score = scores[column];
    const std::int64_t exact = max(threshold, floors[column / width]), coarse = exact - work.slack;
    if (has(known, column) && score < (column < work.coarse_from ? exact : coarse) && score < work.overflow)
      continue;
    const std::uint32_t place = atomicAdd(work.found, 1);
    if (place < work.room) work.candidates[place] = {row, column, score};
  }
}

__global__ void make_pairs(const __grid_constant__ Rescoring work) {
  const std::uint32_t candidates = min(*work.found, work.room);
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < candidates; i += gridDim.x * blockDim.x) {
    const Candidate& candidate = work.candidates[i];
    if (has(work.known[candidate.row], candidate.column) && candidate.column < work.coarse_from &&
        candidate.score < work.overflow)
      continue;
    const std::uint32_t number = atomicAdd(work.count, 1);
    work.numbers[number] = i;
    work.pairs[number] = tile_pair(work.sequences, candidate.row, candidate.column);
  }
}

__global__ void take_scores(const __grid_constant__ Rescoring work) {
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < *work.count; i += gridDim.x * blockDim.x)
    work.candidates[work.numbers[i]].score = work.ends[i].score;
}

// Thread blocks of the kernels whose threads stride over the candidates.
constexpr int kFewBlocks = 64;

}  // namespace

cudaError_t launch_pack(const Packing4& work, cudaStream_t stream) {
  if (work.quads == 0) return cudaSuccess;
  return launch_kernel(pack, work.quads, kThreads, 0, stream, work);
}

cudaError_t launch_profiles(const Profiles& work, cudaStream_t stream) {
  const std::uint64_t fours = std::uint64_t{work.block_count} * work.letters * ((work.rows + 3) / 4);
  if (fours == 0) return cudaSuccess;
  return launch_kernel(fill_profiles, static_cast<unsigned>((fours + kThreads - 1) / kThreads), kThreads, 0,
                       stream, work);
}

cudaError_t launch_scores_of_rows(const Profiles& work, uint4* scores_of_rows, cudaStream_t stream) {
  const std::uint64_t count = std::uint64_t{work.block_count} * 2 * (work.rows / kRowsOfFour) * work.letters;
  if (count == 0) return cudaSuccess;
  return launch_kernel(fill_scores_of_rows, static_cast<unsigned>((count + kThreads - 1) / kThreads),
                       kThreads, 0, stream, work, scores_of_rows);
}

cudaError_t launch_selection(const Selection& work, cudaStream_t stream) {
  if (work.rows == 0) return cudaSuccess;
  return launch_kernel(select, work.rows, kSelectors, 0, stream, work);
}

cudaError_t launch_pairs_of_candidates(const Rescoring& work, cudaStream_t stream) {
  return launch_kernel(make_pairs, kFewBlocks, kThreads, 0, stream, work);
}

cudaError_t launch_scores_of_candidates(const Rescoring& work, cudaStream_t stream) {
  return launch_kernel(take_scores, kFewBlocks, kThreads, 0, stream, work);
}

cudaError_t load_search_kernels() {
  return load_kernels(pack, fill_profiles, fill_scores_of_rows, select, make_pairs, take_scores);
}

}  // namespace alnus::cuda
