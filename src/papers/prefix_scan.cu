// A row at a time by prefix maxima. Chang and Chen (2011), "Fast Sequence Alignment Method Using CUDA-enabled
// GPU".
//
// A thread block aligns the query with one subject, one thread for each column. With linear gaps, H of a cell
// is the highest of what the row above gives to this cell and to each cell on its left, lowered by the gap
// from there to here. These are prefix maxima, found by a tree in shared memory. Subjects of more than 512
// residues are done in slices of 512 columns; the last column of a slice goes to the next slice through
// global memory.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "papers/method.h"
#include "papers/profile.h"

namespace alnus::cuda::papers {
namespace {

constexpr PaperMethod kPaper{"prefix-scan", "prefix-max-scan-2011", "Our method"};

constexpr unsigned kSlice = 512;  // threads of a block

// Thread blocks of a launch for each multiprocessor. Each needs a column in global memory. The paper's
// databases have 100 sequences.
constexpr unsigned kBlocksOfMultiprocessor = 64;

struct Launch {
  Sequences subjects;
  std::uint32_t first;  // position of the subject of thread block 0
  // The matrix, [query's letter][subject's letter], and the query, both read through the read-only cache (the
  // paper: a texture).
  const std::int32_t* matrix;
  const Residue* query;
  std::uint32_t rows;
  std::int32_t gap;
  const std::uint32_t* stop;
  std::int32_t* borders;  // H of the last column of a slice, [blocks][rows]
  std::int32_t* scores;
};

// Returns the highest of the values of this thread and of all threads before it. Afterwards `maxima`, in
// shared memory, has the results of all threads. Every thread works on its own column, so that there are no
// bank conflicts. Shuffles would save most of the steps, but the paper's GPUs had none.
__device__ std::int32_t prefix_maximum(std::int32_t* maxima, std::int32_t value) {
  const unsigned column = threadIdx.x, place = column + 1;
  maxima[column] = value;
  __syncthreads();
  // Up the tree: the maxima of the 2, 4, 8 ... columns that end with this one.
#pragma unroll
  for (unsigned half = 1; half < kSlice; half *= 2) {
    if (place % (2 * half) == 0) maxima[column] = value = max(value, maxima[column - half]);
    __syncthreads();
  }
  // Down the tree, which the paper does not spell out: takes in all columns before those.
#pragma unroll
  for (unsigned half = kSlice / 4; half > 0; half /= 2) {
    if (place > half && place % (2 * half) == half)
      maxima[column] = value = max(value, maxima[column - half]);
    __syncthreads();
  }
  return value;
}

__global__ void __launch_bounds__(kSlice) score_subjects(const __grid_constant__ Launch work) {
  __shared__ std::int32_t row[kSlice];  // H, or prefix maxima
  const std::uint32_t subject = work.first + blockIdx.x, length = work.subjects.lengths[subject];
  const std::uint8_t* const residues = work.subjects.residues + work.subjects.places[subject];
  std::int32_t* const border = work.borders + std::size_t{blockIdx.x} * work.rows;
  const std::int32_t gap_from_border = work.gap * static_cast<std::int32_t>(threadIdx.x + 1),
                     gap_to_end = work.gap * static_cast<std::int32_t>(kSlice - 1 - threadIdx.x);

  constexpr std::uint32_t kRowsBetweenLooks = 1024;  // rows between looks at the stop word
  std::int32_t best = 0;
  for (std::uint32_t slice = 0; slice < length; slice += kSlice) {
    const std::uint32_t column = slice + threadIdx.x;
    const bool inside = column < length;
    const std::int32_t* const matrix = work.matrix + (inside ? residues[column] : kPad);
    std::int32_t h = 0, h_diagonal = 0;
    for (std::uint32_t i = 0; i < work.rows; ++i) {
      if (i % kRowsBetweenLooks == 0 && __syncthreads_or(stops(work.stop))) return;
      const std::int32_t h_border = slice == 0 ? 0 : border[i];
      const std::int32_t score = __ldg(matrix + __ldg(work.query + i) * kMaxLetters);
      const std::int32_t without_left = max(max(h_diagonal + score, h - work.gap), 0);
      h = prefix_maximum(row, without_left - gap_to_end) + gap_to_end;
      h = max(h, h_border - gap_from_border);
      if (inside) best = max(best, h);
      row[threadIdx.x] = h;
      if (threadIdx.x == kSlice - 1) border[i] = h;
      __syncthreads();
      h_diagonal = threadIdx.x == 0 ? h_border : row[threadIdx.x - 1];
      __syncthreads();
    }
  }
  best = prefix_maximum(row, best);
  if (threadIdx.x == kSlice - 1) work.scores[blockIdx.x] = best;
}

std::vector<std::int32_t> matrix_of_codes(const SubstitutionMatrix& matrix) {
  std::vector<std::int32_t> scores(kMaxLetters * kMaxLetters);
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = matrix.value(static_cast<Residue>(i / kMaxLetters), static_cast<Residue>(i % kMaxLetters));
  return scores;
}

class PrefixScan : public SearchMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 100; }
  std::string declines(const Scoring& scoring) const override {
    if (scoring.open == 0) return {};
    return "Method prefix-scan is for linear gaps, as its paper is, and here a gap costs " +
           scoring.format_score(scoring.open) + " before its first residue: ask for " + option("gap_open") +
           " 0.";
  }
  Layout layout() const override { return {}; }
  std::int32_t highest_score() const override { return std::numeric_limits<std::int32_t>::max(); }
  std::uint64_t bytes(std::size_t query, const SortedSequences& /*subjects*/, PositionRange range,
                      int multiprocessors) const override {
    return sizeof(std::int32_t) * query *
           std::min(range.size(), kBlocksOfMultiprocessor * static_cast<unsigned>(multiprocessors));
  }

  void score(const QuerySearch& work) override {
    Launch launch{};
    launch.subjects = work.subjects;
    staging_.clear();
    const auto matrix = staging_.add(matrix_of_codes(work.scoring.matrix));
    const auto codes = staging_.add(codes_of(work.query));
    staging_.upload(work.stream);
    launch.matrix = staging_.at(matrix);
    launch.query = staging_.at(codes);
    launch.rows = static_cast<std::uint32_t>(work.query.size());
    launch.gap = work.scoring.extend;
    launch.stop = work.stop;
    const unsigned most =
        std::min(work.range.size(), kBlocksOfMultiprocessor * static_cast<unsigned>(work.multiprocessors));
    launch.borders = borders_.reserve(std::uint64_t{most} * launch.rows);
    for (std::uint32_t done = 0; done < work.range.size(); done += most) {
      launch.first = (work.range.begin + done).value();
      launch.scores = work.scores + done;
      check(launch_kernel(score_subjects, std::min(most, work.range.size() - done), kSlice, 0, work.stream,
                          launch),
            "the kernel of prefix-scan");
    }
  }

 private:
  Staging staging_;
  DeviceArray<std::int32_t> borders_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_prefix_scan() { return std::make_unique<PrefixScan>(); }

}  // namespace alnus::cuda::papers
