// The dynamic programming matrix of one pair, computed by one warp. Each lane keeps 8 or 16 consecutive rows
// (residues of the query) in registers and goes along the columns, one column behind the lane above it, so
// that what a row needs of the row above comes from the registers of the neighboring lane. The rows of all
// lanes are a pass, of 256 or 512 rows. The last row of a pass goes through device memory to the next pass.
// Where a pair would keep one warp busy for long, several warps take its passes, each some columns behind the
// one before: those of a thread block (Team), or a warp for each pass (PassWarp in long_scores.cu).
//
// The recurrence is that of core/reference.cpp. E and F are computed in the cell that they leave, where
// `first` is open + extend:
//   E(i,j+1) = max(H(i,j) - first, E(i,j) - extend)   and   F(i+1,j) = max(H(i,j) - first, F(i,j) - extend).
// So one subtraction serves both, and the border needs no -infinity, because only H enters from it.
#pragma once

#include <climits>

#include "cuda/kernels/pairs.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/limits.h"

namespace alnus::cuda {

constexpr int kBlockWarps = kTeamWarps, kBlockThreads = kBlockWarps * kWarpThreads,
              kWarpsPerMultiprocessor = 16;
constexpr unsigned kAllLanes = 0xffffffff;

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x) % kWarpThreads; }
__device__ inline int warp_of_thread() {
  return static_cast<int>(blockIdx.x) * kBlockWarps + static_cast<int>(threadIdx.x) / kWarpThreads;
}

__device__ inline std::uint8_t residue_at(const DeviceSequence& sequence, std::uint32_t position) {
  return __ldg(sequence.first + std::size_t{position} * sequence.stride);
}

// The number of lanes that have rows in the pass that begins after row `top` of `rows` rows.
__host__ __device__ inline std::uint32_t lanes_of_pass(std::uint32_t rows, std::uint32_t top,
                                                       std::uint32_t lane_rows) {
  const std::uint32_t left = rows - top;
  return left < lane_rows * kWarpThreads ? (left + lane_rows - 1) / lane_rows : kWarpThreads;
}

// The scoring without the substitution matrix, for registers.
struct GapCosts {
  std::int32_t first, extend;             // costs of a gap's first residue, and of each further one
  std::int32_t floor;                     // lowest H
  std::int32_t left_open, left_extend;    // costs of the query's residues before the alignment
  std::int32_t above_open, above_extend;  // costs of the subject's residues before the alignment

  explicit __device__ GapCosts(const DeviceScoring& scoring)
      : first(scoring.open + scoring.extend), extend(scoring.extend) {
    const bool local = scoring.mode == Mode::local;
    const bool left_free = local || scoring.free_ends.query_begin;
    const bool above_free = local || scoring.free_ends.subject_begin;
    floor = local ? 0 : INT_MIN;
    left_open = left_free ? 0 : scoring.open;
    left_extend = left_free ? 0 : scoring.extend;
    above_open = above_free ? 0 : scoring.open;
    above_extend = above_free ? 0 : scoring.extend;
  }
  // The costs in mode local.
  __device__ GapCosts(std::int32_t open, std::int32_t of_extension)
      : first(open + of_extension),
        extend(of_extension),
        floor(0),
        left_open(0),
        left_extend(0),
        above_open(0),
        above_extend(0) {}
  __device__ std::int32_t h_left(std::uint32_t i) const {  // H(i,0)
    return i == 0 ? 0 : -(left_open + static_cast<std::int32_t>(i) * left_extend);
  }
  __device__ std::int32_t h_above(std::uint32_t j) const {  // H(0,j)
    return j == 0 ? 0 : -(above_open + static_cast<std::int32_t>(j) * above_extend);
  }
};

// The substitution matrix in shared memory. One more column of padding puts the rows of different query
// letters into different banks. One more row, kPad, is for lanes that have fewer residues than rows.
struct SharedMatrix {
  static constexpr int kPad = kMaxLetters;
  static constexpr std::int32_t kPadScore = INT_MIN / 4;
  std::int32_t rows[kMaxLetters + 1][kMaxLetters + 1];

  // To be called by all threads of the block.
  __device__ void load(const DeviceScoring& scoring) {
    for (int k = static_cast<int>(threadIdx.x); k < (kMaxLetters + 1) * kMaxLetters; k += kBlockThreads) {
      const int query = k / kMaxLetters, subject = k % kMaxLetters;
      rows[query][subject] = query == kPad ? kPadScore : scoring.matrix[query][subject];
    }
    __syncthreads();
  }
};

// What a row hands to the row below in the same column: H(i,j) and F(i+1,j).
struct alignas(8) HandedDown {
  std::int32_t h, f;
};

// What a lane keeps of its rows: H(i,j) and E(i,j+1).
template <int count>
struct LaneRows {
  std::int32_t h[count], e[count];
};

// The directions of a cell, four bits. A word holds the directions of a lane's rows, the first row's in the
// highest bits.
enum Direction : std::uint32_t {
  kNotDiagonal = 8,  // H is higher than what the diagonal gives
  kNotE = 4,         // H is higher than E
  kEGoesOn = 2,      // E(i,j+1) scores more by extending a gap than by opening one
  kFGoesOn = 1,      // F(i+1,j) likewise
};

// Loads a score from shared memory. In PTX, because the compiler would compute the base of the shared memory
// anew for each load.
__device__ inline std::int32_t load_score(std::uint32_t address) {
#ifdef __CUDA_ARCH__
  std::int32_t score;
  asm volatile("ld.shared.s32 %0, [%1];" : "=r"(score) : "r"(address));
  return score;
#else
  return *static_cast<const std::int32_t*>(__cvta_shared_to_generic(address));
#endif
}

// Moves a lane's rows on to the next column. Returns their directions, if `directed`. `down` comes from the
// row above and goes to the row below; `diagonal` is H of the row above in the column before. `scores` are
// the shared memory addresses of each row's scores, by residue.
template <bool directed, int count>
__device__ inline std::uint32_t next_column(LaneRows<count>& rows, HandedDown& down, std::int32_t& diagonal,
                                            const std::uint32_t (&scores)[count], int residue,
                                            const GapCosts& costs) {
  std::uint32_t directions = 0;
  const auto keep_sign = [&](std::int32_t difference) {
    directions = directions << 1 | static_cast<std::uint32_t>(difference) >> 31;
  };
  std::int32_t score[count];
#pragma unroll
  for (int r = 0; r < count; ++r)
    score[r] = load_score(scores[r] + static_cast<std::uint32_t>(residue) * sizeof(std::int32_t));
  std::int32_t matched = diagonal + score[0];
  diagonal = down.h;
#pragma unroll
  for (int r = 0; r < count; ++r) {
    const std::int32_t e = rows.e[r], h = max(max(max(matched, e), down.f), costs.floor);
    const std::int32_t opened = h - costs.first, e_longer = e - costs.extend,
                       f_longer = down.f - costs.extend;
    if constexpr (directed) {
      keep_sign(matched - h);
      keep_sign(e - h);
      keep_sign(opened - e_longer);
      keep_sign(opened - f_longer);
    }
    // The row below takes H of this row before it is overwritten.
    if (r + 1 < count) matched = rows.h[r] + score[r + 1];
    rows.h[r] = h;
    rows.e[r] = max(opened, e_longer);
    down = {h, max(opened, f_longer)};
  }
  return directions;
}

// The warps that work on a pair: one warp, or all warps of a thread block. The warps of a block take the
// passes in turn: of 4 warps, the first one takes the passes 0, 4, 8 and so on. A pass needs what the pass
// before it has stored.
class Team {
 public:
  static constexpr int kMost = kBlockWarps;
  using Progress = std::uint32_t;  // columns that a warp has stored, in all its passes; wraps around

  explicit __device__ Team(const std::uint32_t* stop) : stop_(stop), rank_(0), size_(1), progress_(nullptr) {}
  // `progress`: in shared memory, 0 at first.
  __device__ Team(const std::uint32_t* stop, Progress (&progress)[kMost])
      : stop_(stop), rank_(threadIdx.x / kWarpThreads), size_(kMost), progress_(progress) {}

  __device__ std::uint32_t rank() const { return rank_; }
  __device__ std::uint32_t size() const { return size_; }

  __device__ bool stops() const { return cuda::stops(stop_); }

  // Tells the next pass how many of the n columns `pass` has stored, after each kWarpThreads columns and
  // after the last one. To be called by the lane that has stored `column`.
  __device__ void stored(std::uint32_t pass, std::uint32_t column, std::uint32_t n) const {
    if (size_ == 1 || ((column + 1) % kWarpThreads != 0 && column + 1 != n)) return;
    __threadfence_block();
    atomicExch(progress_ + rank_, pass / size_ * n + column + 1);
  }
  // Waits until the first `columns` of the n columns that `pass` gets from the pass before are stored. To be
  // called by the whole warp that reads them. Once stops() is true, wait() returns even if columns are
  // missing: the kernel is then about to end, and its results are not used.
  __device__ void wait(std::uint32_t pass, std::uint32_t columns, std::uint32_t n) const {
    if (size_ == 1) return;
    if (lane_of_thread() == 0) {
      const Progress needed = (pass - 1) / size_ * n + columns;
      const auto behind = [&] {
        return static_cast<std::int32_t>(atomicAdd(progress_ + (pass - 1) % size_, 0U) - needed) < 0;
      };
      constexpr std::uint32_t kTurnsBetweenLooks = 1024;  // some 50 microseconds
      for (std::uint32_t turn = 1; behind(); ++turn) {
        if (turn % kTurnsBetweenLooks == 0 && stops()) break;
        __nanosleep(20);
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  // Reads what the pass before has stored for a column.
  __device__ HandedDown handed_down(const HandedDown* from) const { return *from; }

 private:
  const std::uint32_t* stop_;
  std::uint32_t rank_, size_;
  Progress* progress_;
};

// Steps of a pass between looks at the stop word: a multiple of kWarpThreads.
constexpr std::uint32_t kStepsBetweenLooks = 1 << 12;

// Computes the dynamic programming matrix of a pair, or those of its passes that are the warp's;
// `between_passes` has room for a row. `team` tells which passes are the warp's and what it waits for: a
// Team, or a class with the same rank(), size(), stops(), stored(), wait() and handed_down().
// Observer::kLaneRows are the rows of a lane, and Observer::kDirected tells whether directions are wanted.
// Every lane calls observer.column(rows, i, j, directions) for its rows i + 1 and following in column j, and
// observer.end_of_pass(rows, i) for the same rows after the last column. Each warp of a team has an observer
// of its own. Returns early, without a result, once Team::stops() is true.
template <class Warps, class Observer>
__device__ void compute_matrix(const DevicePair& pair, const SharedMatrix& matrix, const GapCosts& costs,
                               HandedDown* between_passes, const Warps& team, Observer& observer) {
  const std::uint32_t m = pair.query.length, n = pair.subject.length;
  const auto lane = static_cast<std::uint32_t>(lane_of_thread());
  constexpr std::uint32_t kLaneRows = Observer::kLaneRows, kPassRows = kLaneRows * kWarpThreads;
  if (n == 0) return;
  for (std::uint32_t pass = team.rank(); pass * kPassRows < m; pass += team.size()) {
    const bool stop = team.stops();  // read together with the residues
    const std::uint32_t top = pass * kPassRows;
    const std::uint32_t lanes = lanes_of_pass(m, top, kLaneRows), i = top + lane * kLaneRows;
    const bool works = lane < lanes, hands_on = lane == kWarpThreads - 1 && i + kLaneRows < m;
    std::uint32_t scores[kLaneRows];
#pragma unroll
    for (std::uint32_t r = 0; r < kLaneRows; ++r)
      scores[r] = static_cast<std::uint32_t>(__cvta_generic_to_shared(
          matrix.rows[i + r < m ? residue_at(pair.query, i + r) : SharedMatrix::kPad]));
    if (__any_sync(kAllLanes, stop)) return;
    // What a lane computes before its first column and after its last one is not used.
    LaneRows<kLaneRows> rows{};
    std::int32_t diagonal = 0;
    const auto enter = [&] {
      std::uint32_t before = i;
      asm volatile("" : "+r"(before));  // else what follows is computed ahead and kept in registers
      diagonal = costs.h_left(before);
#pragma unroll
      for (std::uint32_t r = 0; r < kLaneRows; ++r) {
        rows.h[r] = costs.h_left(before + r + 1);
        rows.e[r] = rows.h[r] - costs.first;
      }
    };

    // The residue of the lane's next column, fetched a step ahead.
    int next_residue = 0;
    const auto fetch_residue = [&](std::uint32_t column) {
      if (column < n) next_residue = residue_at(pair.subject, column);
    };
    fetch_residue(0 - lane);
    // What enters the first lane from above. Each lane holds the values of one of the next kWarpThreads
    // columns.
    HandedDown from_above{}, further_on{};
    const auto fetch_from_above = [&](std::uint32_t first) {
      if (first >= n) return;
      const std::uint32_t column = first + lane;
      if (pass > 0) {
        team.wait(pass, min(first + kWarpThreads, n), n);
        if (column < n) further_on = team.handed_down(between_passes + column);
      } else {
        const std::int32_t h = costs.h_above(column + 1);
        further_on = {h, h - costs.first};
      }
    };
    fetch_from_above(0);

    HandedDown down{};
    const std::uint32_t steps = n + lanes - 1;
#pragma unroll 1
    for (std::uint32_t step = 0; step < steps; ++step) {
      const int turn = static_cast<int>(step % kWarpThreads);
      if (turn == 0) {
        if (step % kStepsBetweenLooks == kStepsBetweenLooks - kWarpThreads &&
            __any_sync(kAllLanes, team.stops()))
          break;
        from_above = further_on;
        fetch_from_above(step + kWarpThreads);
      }
      down = {__shfl_up_sync(kAllLanes, down.h, 1), __shfl_up_sync(kAllLanes, down.f, 1)};
      const HandedDown entering{__shfl_sync(kAllLanes, from_above.h, turn),
                                __shfl_sync(kAllLanes, from_above.f, turn)};
      if (lane == 0) down = entering;
      if (step == lane) enter();
      const std::uint32_t column = step - lane;  // before the lane's first column it wraps around
      const int residue = next_residue;
      fetch_residue(column + 1);
      const std::uint32_t directions =
          next_column<Observer::kDirected>(rows, down, diagonal, scores, residue, costs);
      if (!works || column >= n) continue;
      if (hands_on) {
        between_passes[column] = down;
        team.stored(pass, column, n);
      }
      observer.column(rows, i, column + 1, directions);
      if (column + 1 == n) observer.end_of_pass(rows, i);
    }
    __syncwarp();  // the next pass reads what the last lane wrote
  }
}

// Calls compute(number, team) for every pair: by all warps of a thread block for pairs of several passes and
// at least `team_cells` cells, and by one warp for the other pairs, which come from a counter. `workers`:
// warps of the launch.
template <class Compute>
__device__ void share_pairs(const DevicePair* pairs, std::uint32_t count, std::uint64_t team_cells,
                            std::uint32_t* counter, int workers, std::uint32_t pass_rows,
                            const std::uint32_t* stop, Compute compute) {
  const bool teams = workers % kBlockWarps == 0;  // all thread blocks have all their warps
  const auto for_team = [&](std::uint32_t number) {
    const DevicePair& pair = pairs[number];
    return teams && pair.query.length > pass_rows &&
           std::uint64_t{pair.query.length} * pair.subject.length >= team_cells;
  };
  __shared__ Team::Progress progress[Team::kMost];
  for (std::uint32_t number = blockIdx.x; teams && number < count; number += gridDim.x) {
    if (!for_team(number)) continue;
    __syncthreads();  // the pair before is done
    if (threadIdx.x < Team::kMost) progress[threadIdx.x] = 0;
    __syncthreads();
    compute(number, Team(stop, progress));
  }
  if (teams) __syncthreads();  // no team needs its workspace any more, which is also that of single warps
  for (;;) {
    std::uint32_t number = 0;
    if (lane_of_thread() == 0) number = atomicAdd(counter, 1U);
    number = __shfl_sync(kAllLanes, number, 0);
    if (number >= count) return;
    if (!for_team(number)) compute(number, Team(stop));
  }
}

// Thread blocks of a launch: one for each pair, because the pair may be for a team, but no more than have
// `warps` warps together.
inline unsigned blocks_of(std::uint32_t pairs, int warps) {
  const auto blocks = static_cast<std::uint32_t>((warps + kBlockWarps - 1) / kBlockWarps);
  return pairs < blocks ? pairs : blocks;
}

}  // namespace alnus::cuda
