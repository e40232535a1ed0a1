// The optimized SIMT algorithm of CUDASW++ 2.0: Liu, Schmidt and Maskell (2010), BMC Research Notes 3:93. Its
// two stages are those of CUDASW++ 1.0: Liu, Maskell and Schmidt (2009), BMC Research Notes 2:73.
//
// Inter-task: a thread aligns the query with one subject, in blocks of 4 x 4 cells. The four rows take their
// scores from one load of the query profile, the four columns take their residues from one load of the
// subject. H and E go from block to block to the right in registers; H and F go down in global memory.
// Intra-task, for the longest subjects: a thread block aligns the query with one subject, an antidiagonal at
// a time.
#include <algorithm>
#include <span>

#include "core/first_position.h"
#include "cuda/kernels/launch.h"
#include "cuda/kernels/pairs.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "papers/groups.h"
#include "papers/half_words.cuh"
#include "papers/method.h"
#include "papers/profile.h"

namespace alnus::cuda::papers {
namespace {

constexpr PaperMethod kPaper{"cudasw2-simt", "cudaswpp2-2010", "SIMT"};

constexpr std::uint32_t kThreads = 256;          // threads of a block, and subjects of a group
constexpr unsigned kBlocksOfMultiprocessor = 4;  // the best number that the paper found
constexpr std::uint32_t kPacked = 4;             // residues of a word, in the profile and in subjects
constexpr std::size_t kThreshold = 3072;         // residues of the longest subject of the inter-task stage

__device__ const std::uint32_t* words_of(const Sequences& subjects, std::uint32_t subject) {
  return reinterpret_cast<const std::uint32_t*>(subjects.residues) + subjects.places[subject / kThreads] +
         subject % kThreads;
}

struct InterTask {
  Sequences subjects;
  std::uint32_t first_group;     // the launch's first group; each thread block takes one
  KernelRange range;             // positions of the subjects that are wanted
  const std::uint32_t* profile;  // packed_profile(), read through the read-only cache (the paper: a texture)
  std::uint32_t words;           // of the profile, for each letter
  // H and F of the row above the four rows, in the order of the residues of the launch's subjects: those of a
  // thread block in one column lie side by side.
  std::uint32_t* above;
  std::int32_t opened, extend;  // costs of a gap's first residue, and of each further one
  const std::uint32_t* stop;
  std::int32_t* scores;
};

// The paper leaves open how many rows a block of cells has, and where its borders lie. Here a block has the
// rows of one word of the profile. The loop over its columns is not unrolled, and takes their residues from
// shared memory, because registers cannot be indexed.
__global__ void __launch_bounds__(kThreads) score_by_threads(const __grid_constant__ InterTask work) {
  __shared__ std::uint32_t four[kThreads];
  const std::uint32_t group = work.first_group + blockIdx.x, subject = group * kThreads + threadIdx.x;
  if (subject < work.range.begin || subject >= work.range.end) return;
  const std::uint32_t* const residues = words_of(work.subjects, subject);
  const std::uint32_t words = (work.subjects.lengths[subject] + kPacked - 1) / kPacked;
  std::uint32_t* const above =
      work.above + (work.subjects.places[group] - work.subjects.places[work.first_group]) * kPacked +
      threadIdx.x;

  std::int32_t best = 0;
  for (std::uint32_t rows = 0; rows < work.words; ++rows) {
    if (stops(work.stop)) return;
    std::int32_t h[kPacked] = {}, e[kPacked] = {}, h_of_corner = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
      four[threadIdx.x] = __ldg(residues + word * kThreads);
#pragma unroll 1
      for (std::uint32_t k = 0; k < kPacked; ++k) {
        const std::uint32_t letter = reinterpret_cast<const std::uint8_t*>(four + threadIdx.x)[k];
        const auto scores = static_cast<std::int32_t>(__ldg(work.profile + letter * work.words + rows));
        std::uint32_t& border = above[(word * kPacked + k) * kThreads];
        const HalfWords up(rows == 0 ? 0 : border);
        std::int32_t h_up = up.h, f = up.gap, h_diagonal = h_of_corner;
        h_of_corner = h_up;
#pragma unroll
        for (std::uint32_t r = 0; r < kPacked; ++r) {
          const std::int32_t score = scores << (24 - 8 * r) >> 24;
          e[r] = max(max(e[r] - work.extend, h[r] - work.opened), 0);
          f = max(f - work.extend, h_up - work.opened);
          h_up = max(max(h_diagonal + score, e[r]), f);
          h_diagonal = h[r];
          h[r] = h_up;
          best = max(best, h_up);
        }
        border = HalfWords(h_up, max(f, 0)).packed();
      }
    }
  }
  work.scores[subject - work.range.begin] = best;
}

struct IntraTask {
  Sequences subjects;
  KernelRange range;  // positions of the subjects; thread block b takes the b-th one, then each gridDim.x-th
  const std::uint8_t* query;
  std::uint32_t query_length;
  // For each thread block: the residues of its subject in `most_words` words, and three antidiagonals.
  std::uint32_t* residues;
  std::uint32_t most_words;
  std::int32_t* diagonals;
  const DeviceScoring* scoring;
  const std::uint32_t* stop;
  std::int32_t* scores;
};

// H, E and F of an antidiagonal by row, in global memory, because queries have any length. Entry 0 is the row
// above the query's first. In that row, and left of the first column, all values stay 0: H is 0 there, and an
// E or F of 0 raises no H.
struct Diagonal {
  std::int32_t *h, *e, *f;
};
constexpr std::uint32_t kArraysOfDiagonals = 3 * 3;

__global__ void __launch_bounds__(kThreads) score_by_blocks(const __grid_constant__ IntraTask work) {
  __shared__ std::int32_t matrix[kMaxLetters][kMaxLetters];
  __shared__ std::int32_t best_of_block;
  for (std::uint32_t k = threadIdx.x; k < kMaxLetters * kMaxLetters; k += kThreads)
    matrix[k / kMaxLetters][k % kMaxLetters] = work.scoring->matrix[k / kMaxLetters][k % kMaxLetters];
  const std::int32_t extend = work.scoring->extend, opened = work.scoring->open + extend;

  // The subject's residues, copied so that they lie side by side.
  std::uint32_t* const words = work.residues + std::size_t{blockIdx.x} * work.most_words;
  const auto* const residues = reinterpret_cast<const std::uint8_t*>(words);
  const std::uint32_t rows = work.query_length, height = rows + 1;
  std::int32_t* const diagonals = work.diagonals + std::size_t{blockIdx.x} * kArraysOfDiagonals * height;
  const auto diagonal_at = [&](std::size_t k) {
    std::int32_t* const first = diagonals + 3 * k * height;
    return Diagonal{first, first + height, first + 2 * height};
  };

  for (std::uint32_t subject = work.range.begin + blockIdx.x; subject < work.range.end;
       subject += gridDim.x) {
    const std::uint32_t length = work.subjects.lengths[subject];
    const std::uint32_t* const packed = words_of(work.subjects, subject);
    for (std::uint32_t k = threadIdx.x; k * kPacked < length; k += kThreads)
      words[k] = packed[std::size_t{k} * kThreads];
    for (std::size_t k = threadIdx.x; k < std::size_t{kArraysOfDiagonals} * height; k += kThreads)
      diagonals[k] = 0;
    if (threadIdx.x == 0) best_of_block = 0;
    __syncthreads();

    Diagonal before_last = diagonal_at(0), last = diagonal_at(1), now = diagonal_at(2);
    std::int32_t best = 0;
    constexpr std::uint32_t kDiagonalsBetweenLooks = 1024;  // antidiagonals between looks at the stop word
    for (std::uint32_t diagonal = 0; diagonal < rows + length - 1; ++diagonal) {
      if (diagonal % kDiagonalsBetweenLooks == 0 && __syncthreads_or(stops(work.stop))) return;
      const std::uint32_t first = diagonal < length ? 0 : diagonal - length + 1;
      const std::uint32_t end = min(diagonal + 1, rows);
      for (std::uint32_t row = first + threadIdx.x; row < end; row += kThreads) {
        const std::int32_t e = max(max(last.e[row + 1] - extend, last.h[row + 1] - opened), 0);
        const std::int32_t f = max(max(last.f[row] - extend, last.h[row] - opened), 0);
        const std::int32_t score = matrix[__ldg(work.query + row)][residues[diagonal - row]];
        const std::int32_t h = max(max(before_last.h[row] + score, e), f);
        now.h[row + 1] = h;
        now.e[row + 1] = e;
        now.f[row + 1] = f;
        best = max(best, h);
      }
      const Diagonal oldest = before_last;
      before_last = last;
      last = now;
      now = oldest;
      __syncthreads();
    }
    atomicMax(&best_of_block, best);
    __syncthreads();
    if (threadIdx.x == 0) work.scores[subject - work.range.begin] = best_of_block;
    __syncthreads();
  }
}

class Cudasw2Simt : public SearchMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 310; }
  std::string declines(const Scoring& scoring) const override {
    return too_large_for_bytes(kPaper.name, scoring.matrix);
  }
  Layout layout() const override { return {.group = kThreads, .packed = kPacked}; }
  std::int32_t highest_score() const override { return 0xffff; }
  std::uint64_t bytes(std::size_t query, const SortedSequences& subjects, PositionRange range,
                      int multiprocessors) const override {
    const std::uint64_t blocks = kBlocksOfMultiprocessor * static_cast<std::uint64_t>(multiprocessors);
    const PositionRange others{shorter_from(subjects, range), range.end};
    std::uint64_t words = first_residues(subjects, layout(), others, static_cast<int>(blocks));
    if (others.begin > range.begin)
      words += std::min<std::uint64_t>(others.begin - range.begin, blocks) *
               (subjects.length(range.begin) / kPacked + 1 + kArraysOfDiagonals * (query + 1));
    return sizeof(std::uint32_t) * words;
  }

  void score(const QuerySearch& work) override {
    const DeviceScoring scoring = device_scoring(work.scoring);
    staging_.clear();
    const auto query_at = staging_.add(codes_of(work.query));
    const auto scoring_at = staging_.add(std::span(&scoring, 1));
    const auto profile_at = staging_.add(packed_profile(work.query, work.scoring.matrix));
    staging_.upload(work.stream);

    const Position shorter = shorter_from(work.sorted, work.range);
    const PositionRange longer{work.range.begin, shorter}, others{shorter, work.range.end};
    inter_task(work, others, staging_.at(profile_at));
    intra_task(work, longer, staging_.at(query_at), staging_.at(scoring_at));
  }

 private:
  // The first subject that is short enough for the inter-task stage.
  static Position shorter_from(const SortedSequences& subjects, PositionRange range) {
    return first_position(range, [&](Position i) { return subjects.length(i) <= kThreshold; });
  }

  void inter_task(const QuerySearch& work, PositionRange subjects, const std::uint32_t* profile) {
    const KernelRange range = kernel_range(subjects);
    InterTask launch{.subjects = work.subjects,
                     .first_group = range.begin / kThreads,
                     .range = range,
                     .profile = profile,
                     .words = static_cast<std::uint32_t>((work.query.size() + kPacked - 1) / kPacked),
                     .above = nullptr,
                     .opened = work.scoring.open + work.scoring.extend,
                     .extend = work.scoring.extend,
                     .stop = work.stop,
                     .scores = work.scores + (subjects.begin - work.range.begin)};
    const std::uint32_t end = (range.end + kThreads - 1) / kThreads;
    for (std::uint32_t blocks; launch.first_group < end; launch.first_group += blocks) {
      blocks = std::min(end - launch.first_group, blocks_of(work));
      const GroupRange groups{launch.first_group, launch.first_group + blocks};
      launch.above = above_.reserve(padded_residues(work.sorted, layout(), groups));
      check(launch_kernel(score_by_threads, blocks, kThreads, 0, work.stream, launch),
            "a kernel of cudasw2-simt");
    }
  }

  void intra_task(const QuerySearch& work, PositionRange subjects, const std::uint8_t* query,
                  const DeviceScoring* scoring) {
    if (subjects.size() == 0) return;
    const std::uint32_t blocks = std::min(subjects.size(), blocks_of(work));
    const std::size_t most_words = (work.sorted.length(subjects.begin) + kPacked - 1) / kPacked;
    const IntraTask launch{
        .subjects = work.subjects,
        .range = kernel_range(subjects),
        .query = query,
        .query_length = static_cast<std::uint32_t>(work.query.size()),
        .residues = residues_.reserve(blocks * most_words),
        .most_words = static_cast<std::uint32_t>(most_words),
        .diagonals = diagonals_.reserve(blocks * (work.query.size() + 1) * kArraysOfDiagonals),
        .scoring = scoring,
        .stop = work.stop,
        .scores = work.scores};
    check(launch_kernel(score_by_blocks, blocks, kThreads, 0, work.stream, launch),
          "a kernel of cudasw2-simt");
  }

  static std::uint32_t blocks_of(const QuerySearch& work) {
    return kBlocksOfMultiprocessor * static_cast<std::uint32_t>(work.multiprocessors);
  }

  Staging staging_;
  DeviceArray<std::uint32_t> above_, residues_;
  DeviceArray<std::int32_t> diagonals_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_cudasw2_simt() { return std::make_unique<Cudasw2Simt>(); }

}  // namespace alnus::cuda::papers
