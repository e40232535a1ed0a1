// Compiled without fused multiply-adds (src/CMakeLists.txt), so that results have the same bits as on the
// CPU.
#include "cuda/kernels/launch.h"
#include "cuda/kernels/pair_matrices.h"
#include "cuda/limits.h"
#include "stats/one_lane.h"
#include "stats/theta_search.h"

namespace alnus::cuda {
namespace {

using Math = stats::ScalarMath;
using Search = stats::ThetaSearch<Math>;

constexpr int kBlockWarps = 4, kBlockThreads = kBlockWarps * kWarpThreads;
constexpr unsigned kAllLanes = 0xffffffff;
constexpr int kOwn = kAminoAcids + PairAdjustment::kAmbiguous;  // letters whose scores are the pair's own

// Shared memory of a warp, by which its lanes exchange values.
struct Shared {
  double p[kAminoAcids], r[kAminoAcids];  // compositions of the query and of the subject
  double x[kAminoAcids], logs[kAminoAcids], scored[kAminoAcids];
  double of_numbers[kMostAminoAcidScores];
  double exact[kOwn][kOwn];  // [subject's letter][query's letter]
};

// Finds the theta, a and b of a pair's matrix (Yu & Altschul 2005; stats/adjusted_matrix.h), by all lanes of
// a warp. Lane i < kAminoAcids has the i-th row; the other lanes repeat the last row.
class Balance {
 public:
  __device__ Balance(Shared& shared, const PairAdjustment& adjustment, int lane)
      : shared_(shared), adjustment_(adjustment), lane_(lane), row_(min(lane, kAminoAcids - 1)) {}

  // Finds the pair's theta, and this row's a and b.
  __device__ void solve() {
    Search search(adjustment_.entropy, adjustment_.slope, 1, false);
    do {
      weigh(search.theta());
      balance(search.tolerance());
    } while (search.take(entropy(search.theta())));
    theta_ = search.theta();
  }
  __device__ double theta() const { return theta_; }
  __device__ double a() const { return a_; }
  __device__ double b() const { return b_; }

 private:
  __device__ void weigh(double theta) {
    __syncwarp();
    for (int k = lane_; k < adjustment_.exponent_count; k += kWarpThreads)
      shared_.of_numbers[k] = Math::exp(theta * adjustment_.exponents[k]);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < kAminoAcids; ++j) weights_[j] = shared_.of_numbers[adjustment_.number[row_][j]];
  }

  __device__ void balance(double tolerance) {
    for (int sweep = 0; sweep < Search::kMostSweeps; ++sweep) {
      const double sum = weighted_sum(shared_.r[row_] * b_);
      const double off = shared_.p[row_] * Math::abs(a_ * sum - 1);
      a_ = 1 / sum;
      b_ = 1 / weighted_sum(shared_.p[row_] * a_);
      if (!__any_sync(kAllLanes, off >= tolerance)) return;
    }
  }

  // The sum of the values of all rows, weighted by this lane's row of weights.
  __device__ double weighted_sum(double of_lane) {
    share(shared_.x, of_lane);
    double sum = 0;
#pragma unroll
    for (int j = 0; j < kAminoAcids; ++j) sum += weights_[j] * shared_.x[j];
    return sum;
  }

  __device__ double entropy(double theta) {
    const double p = shared_.p[row_], r = shared_.r[row_];
    share(shared_.x, r * b_);
    double row = 0;
#pragma unroll
    for (int j = 0; j < kAminoAcids; ++j)
      row += weights_[j] * adjustment_.exponents[adjustment_.number[row_][j]] * shared_.x[j];
    share(shared_.logs, p * Math::log(a_) + r * Math::log(b_));
    share(shared_.scored, p * a_ * row);
    double scored = 0, logs = 0;
    for (int i = 0; i < kAminoAcids; ++i) {
      scored += shared_.scored[i];
      logs += shared_.logs[i];
    }
    return theta * scored + logs;
  }

  __device__ void share(double (&all)[kAminoAcids], double of_lane) {
    __syncwarp();
    if (lane_ < kAminoAcids) all[lane_] = of_lane;
    __syncwarp();
  }

  Shared& shared_;
  const PairAdjustment& adjustment_;
  const int lane_, row_;
  double a_ = 1, b_ = 1, theta_ = 1;
  double weights_[kAminoAcids];
};

// Writes rounded scores, and keeps the lowest and the highest score.
struct Writer {
  const MatrixRounding& rounding;
  const std::uint32_t letters;
  std::int16_t* const matrix;
  std::int32_t lowest, highest;  // before rounding

  __device__ void write(std::uint32_t subject, std::uint32_t query, std::int32_t score) const {
    if (subject < letters && query < letters)
      matrix[subject * letters + query] = static_cast<std::int16_t>(rounded(score));
  }
  // Writes a score that is the pair's own, from its exact value.
  __device__ void put(std::uint32_t subject, std::uint32_t query, double exact) {
    const auto score = static_cast<std::int32_t>(Math::bits(exact + Math::kRound));
    lowest = min(lowest, score);
    highest = max(highest, score);
    write(subject, query, score);
  }
  __device__ std::int32_t rounded(std::int32_t score) const {
    return (score + ((1 << rounding.shift) >> 1)) >> rounding.shift;
  }
  // True if the rounding allows all scores. To be called by all lanes.
  __device__ bool fits() {
    for (int distance = 1; distance < kWarpThreads; distance *= 2) {
      lowest = min(lowest, __shfl_xor_sync(kAllLanes, lowest, distance));
      highest = max(highest, __shfl_xor_sync(kAllLanes, highest, distance));
    }
    return rounded(lowest) >= rounding.lowest && rounded(highest) <= rounding.highest;
  }
};

template <class Value>
__device__ double mean(const PairAdjustment::Ambiguous& letter, const double (&frequencies)[kAminoAcids],
                       Value value) {
  double sum = 0, weight = 0;
  for (int k = 0; k < letter.count; ++k) {
    const int i = letter.amino_acids[k];
    sum += frequencies[i] * value(i);
    weight += frequencies[i];
  }
  return sum / weight;
}

__device__ void put_own(Shared& shared, const PairAdjustment& adjustment, int lane, Writer& writer) {
  Balance balance(shared, adjustment, lane);
  balance.solve();
  const double of_query = adjustment.unit * Math::log(balance.a());
  __syncwarp();
  if (lane < kAminoAcids) shared.x[lane] = adjustment.unit * Math::log(balance.b());
  for (int k = lane; k < adjustment.exponent_count; k += kWarpThreads)
    shared.of_numbers[k] = balance.theta() * adjustment.unit * adjustment.exponents[k];
  __syncwarp();
  if (lane < kAminoAcids)
    for (int j = 0; j < kAminoAcids; ++j) {
      shared.exact[j][lane] = shared.of_numbers[adjustment.number[j][lane]] + of_query + shared.x[j];
      writer.put(j, lane, shared.exact[j][lane]);
    }
  __syncwarp();
  if (lane < kAminoAcids)
    for (int k = 0; k < PairAdjustment::kAmbiguous; ++k) {
      const PairAdjustment::Ambiguous& one = adjustment.ambiguous[k];
      const double exact = mean(one, shared.p, [&](int i) { return shared.exact[lane][i]; });
      shared.exact[lane][kAminoAcids + k] = exact;
      writer.put(lane, one.letter, exact);
    }
  __syncwarp();
  if (lane < kOwn)
    for (const PairAdjustment::Ambiguous& one : adjustment.ambiguous) {
      const int query = lane < kAminoAcids ? lane : adjustment.ambiguous[lane - kAminoAcids].letter;
      writer.put(one.letter, query, mean(one, shared.r, [&](int j) { return shared.exact[j][lane]; }));
    }
}

__global__ void __launch_bounds__(kBlockThreads)
    make_pair_matrices(const __grid_constant__ PairMatricesLaunch work) {
  __shared__ Shared of_warps[kBlockWarps];
  Shared& shared = of_warps[threadIdx.x / kWarpThreads];
  const auto lane = static_cast<int>(threadIdx.x % kWarpThreads);
  const std::uint32_t number = blockIdx.x * kBlockWarps + threadIdx.x / kWarpThreads;
  if (number >= work.count) return;
  const PairAdjustment& adjustment = *work.adjustment;
  Writer writer{work.rounding, work.letters,
                work.matrices + std::size_t{number} * work.letters * work.letters, adjustment.lowest_other,
                adjustment.highest_other};
  for (std::uint32_t k = lane; k < work.letters * work.letters; k += kWarpThreads) {
    const std::uint32_t subject = k / work.letters, query = k % work.letters;
    writer.write(subject, query, adjustment.others[subject * kMaxLetters + query]);
  }
  if (adjustment.adjusts) {
    const MatrixPairs::Pair pair = work.pairs[number];
    if (lane < kAminoAcids) {
      shared.p[lane] = work.queries[pair.query][lane];
      shared.r[lane] = work.subjects[pair.subject][lane];
    }
    __syncwarp();
    put_own(shared, adjustment, lane, writer);
  }
  const bool fits = writer.fits();
  if (lane == 0) work.fits[number] = fits ? 1 : 0;
}

}  // namespace

cudaError_t launch_pair_matrices(const PairMatricesLaunch& work, cudaStream_t stream) {
  if (work.count == 0) return cudaSuccess;
  return launch_kernel(make_pair_matrices, (work.count + kBlockWarps - 1) / kBlockWarps, kBlockThreads, 0,
                       stream, work);
}

cudaError_t load_pair_matrices_kernels() { return load_kernels(make_pair_matrices); }

}  // namespace alnus::cuda
