// LR: Ligowski and Rudnicki (2009), "An efficient implementation of Smith Waterman algorithm on GPU using
// CUDA, for massively parallel scanning of sequence databases".
//
// A thread aligns the query with one subject, in horizontal bands of 12 rows (residues of the query). H and E
// of the band's last column stay on chip, in shared memory. Only H and F of a band's last row go through
// global memory to the next band: for each column a word is read, and one is written.
#include <algorithm>
#include <limits>
#include <span>
#include <vector>

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

constexpr PaperMethod kPaper{"band-sweep", "band-sweep-2009", "LR"};

constexpr std::uint32_t kRows = 12;      // rows of a band
constexpr std::uint32_t kThreads = 256;  // threads of a block, and subjects of a group
constexpr std::int32_t kPadScore = std::numeric_limits<std::int32_t>::min() / 2;

struct Launch {
  Sequences subjects;
  std::uint32_t first_group;  // the launch's first group; each thread block takes one
  KernelRange range;          // positions of the subjects that are wanted
  const std::uint8_t* query;  // filled with kPad up to whole bands
  std::uint32_t bands;
  // H and F of the row above a band, in the order of the residues of the launch's subjects: those of a thread
  // block in one column lie side by side.
  std::uint32_t* above;
  const DeviceScoring* scoring;
  const std::uint32_t* stop;
  std::int32_t* scores;
};

__global__ void __launch_bounds__(kThreads) score_subjects(const __grid_constant__ Launch work) {
  // There are as many banks as letters, so that threads with different residues never wait for each other.
  __shared__ std::int32_t similarity[kMaxLetters][kMaxLetters];
  __shared__ std::uint32_t left[kRows][kThreads];  // H and E of the column before
  for (std::uint32_t k = threadIdx.x; k < kMaxLetters * kMaxLetters; k += kThreads) {
    const std::uint32_t letter = k / kMaxLetters;
    similarity[letter][k % kMaxLetters] =
        letter == kPad ? kPadScore : work.scoring->matrix[letter][k % kMaxLetters];
  }
  __syncthreads();

  const std::uint32_t group = work.first_group + blockIdx.x, subject = group * kThreads + threadIdx.x;
  if (subject < work.range.begin || subject >= work.range.end) return;
  const std::uint64_t place = work.subjects.places[group] + threadIdx.x;
  const std::uint8_t* const residues = work.subjects.residues + place;
  std::uint32_t* const above = work.above + (place - work.subjects.places[work.first_group]);
  const std::uint32_t length = work.subjects.lengths[subject];
  const std::int32_t extend = work.scoring->extend, opened = work.scoring->open + extend;

  std::int32_t best = 0;
  for (std::uint32_t band = 0; band < work.bands; ++band) {
    if (stops(work.stop)) return;
    std::uint8_t letters[kRows];
#pragma unroll
    for (std::uint32_t k = 0; k < kRows; ++k) {
      letters[k] = work.query[band * kRows + k];
      left[k][threadIdx.x] = 0;
    }
    std::int32_t h_of_corner = 0;
    for (std::uint32_t column = 0; column < length; ++column) {
      const std::size_t at = std::size_t{column} * kThreads;
      const std::uint8_t residue = residues[at];
      const HalfWords up(band == 0 ? 0 : above[at]);
      std::int32_t h_up = up.h, f_up = up.gap, h_up_left = h_of_corner;
      h_of_corner = h_up;
#pragma unroll
      for (std::uint32_t k = 0; k < kRows; ++k) {
        const HalfWords before(left[k][threadIdx.x]);
        const std::int32_t e = max(max(before.gap - extend, before.h - opened), 0);
        f_up = max(f_up - extend, h_up - opened);
        h_up = max(max(h_up_left + similarity[letters[k]][residue], e), f_up);
        h_up_left = before.h;
        best = max(best, h_up);
        left[k][threadIdx.x] = HalfWords(h_up, e).packed();
      }
      above[at] = HalfWords(h_up, max(f_up, 0)).packed();
    }
  }
  work.scores[subject - work.range.begin] = best;
}

class BandSweep : public SearchMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 500; }
  std::string declines(const Scoring&) const override { return {}; }
  Layout layout() const override { return {.group = kThreads}; }
  std::int32_t highest_score() const override { return 0xffff; }
  std::uint64_t bytes(std::size_t /*query*/, const SortedSequences& subjects, PositionRange range,
                      int multiprocessors) const override {
    return sizeof *Launch::above * first_residues(subjects, layout(), range, multiprocessors);
  }

  void score(const QuerySearch& work) override {
    std::vector<Residue> query = codes_of(work.query);
    const auto bands = static_cast<std::uint32_t>((query.size() + kRows - 1) / kRows);
    query.resize(std::size_t{bands} * kRows, kPad);
    const DeviceScoring scoring = device_scoring(work.scoring);
    staging_.clear();
    const auto query_at = staging_.add(query);
    const auto scoring_at = staging_.add(std::span(&scoring, 1));
    staging_.upload(work.stream);

    const KernelRange range = kernel_range(work.range);
    Launch launch{.subjects = work.subjects,
                  .first_group = range.begin / kThreads,
                  .range = range,
                  .query = staging_.at(query_at),
                  .bands = bands,
                  .above = nullptr,
                  .scoring = staging_.at(scoring_at),
                  .stop = work.stop,
                  .scores = work.scores};
    const std::uint32_t end = (range.end + kThreads - 1) / kThreads;
    const auto at_a_time = static_cast<std::uint32_t>(work.multiprocessors);
    for (std::uint32_t blocks; launch.first_group < end; launch.first_group += blocks) {
      blocks = std::min(end - launch.first_group, at_a_time);
      const GroupRange groups{launch.first_group, launch.first_group + blocks};
      launch.above = above_.reserve(padded_residues(work.sorted, layout(), groups));
      check(launch_kernel(score_subjects, blocks, kThreads, 0, work.stream, launch),
            "the kernel of band-sweep");
    }
  }

 private:
  Staging staging_;
  DeviceArray<std::uint32_t> above_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_band_sweep() { return std::make_unique<BandSweep>(); }

}  // namespace alnus::cuda::papers
