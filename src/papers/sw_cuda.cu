// SW-CUDA: Manavski and Valle (2008), BMC Bioinformatics 9(Suppl 2):S10.
//
// A thread aligns the query with one subject, column by column; a column has all residues of the query. H and
// E of the column before are in one buffer, those of this column go to another, and the two change places.
// Four cells are computed at a time, from 128 bits of the buffer, which are four H and four E of 16 bits, and
// 32 bits of the query profile, which are four scores.
#include <algorithm>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "papers/half_words.cuh"
#include "papers/method.h"
#include "papers/profile.h"

namespace alnus::cuda::papers {
namespace {

constexpr PaperMethod kPaper{"sw-cuda", "sw-cuda-2008", "SW-Cuda"};

// The best configuration that the paper found.
constexpr unsigned kThreads = 64, kBlocks = 450;

struct Launch {
  Sequences subjects;
  std::uint32_t first, end;      // positions of the launch; each thread takes one
  const std::uint32_t* profile;  // packed_profile(), read through the read-only cache (the paper: a texture)
  std::uint32_t words;           // of the profile for each letter; four residues of the query each
  // The two buffers of each thread, [2][words][threads]. In the paper they are in local memory, whose words
  // the hardware lays side by side in the same way; here they are in global memory, because their size
  // depends on the query.
  uint4* buffers;
  std::int32_t opened, extend;  // costs of a gap's first residue, and of each further one
  const std::uint32_t* stop;
  std::int32_t* scores;
};

__global__ void __launch_bounds__(kThreads) score_subjects(const __grid_constant__ Launch work) {
  const std::uint32_t thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  const std::uint32_t subject = work.first + thread;
  if (subject >= work.end) return;
  const std::uint8_t* const residues = work.subjects.residues + work.subjects.places[subject];
  const std::uint32_t length = work.subjects.lengths[subject];
  uint4* load = work.buffers + thread;
  uint4* store = load + std::size_t{work.words} * threads;

  constexpr std::uint32_t kColumnsBetweenLooks = 64;  // columns between looks at the stop word
  std::int32_t best = 0;
  for (std::uint32_t column = 0; column < length; ++column) {
    if (column % kColumnsBetweenLooks == 0 && stops(work.stop)) return;
    const std::uint32_t* const profile = work.profile + residues[column] * work.words;
    std::int32_t h_diagonal = 0, h_north = 0, f_north = 0;
    const auto cell = [&](std::uint32_t packed, std::int32_t score) {
      const HalfWords left(packed);
      const std::int32_t e = max(max(left.gap - work.extend, left.h - work.opened), 0);
      f_north = max(f_north - work.extend, h_north - work.opened);
      const std::int32_t h = max(max(h_diagonal + score, e), max(f_north, 0));
      h_diagonal = left.h;
      h_north = h;
      best = max(best, h);
      return HalfWords(h, e).packed();
    };
    for (std::uint32_t word = 0; word < work.words; ++word) {
      const std::size_t place = std::size_t{word} * threads;
      uint4 cells = column == 0 ? uint4{0, 0, 0, 0} : load[place];
      const auto scores = static_cast<std::int32_t>(__ldg(profile + word));
      cells.x = cell(cells.x, scores << 24 >> 24);
      cells.y = cell(cells.y, scores << 16 >> 24);
      cells.z = cell(cells.z, scores << 8 >> 24);
      cells.w = cell(cells.w, scores >> 24);
      store[place] = cells;
    }
    uint4* const stored = store;
    store = load;
    load = stored;
  }
  work.scores[thread] = best;
}

class SwCuda : public SearchMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 150; }
  std::string declines(const Scoring& scoring) const override {
    return too_large_for_bytes(kPaper.name, scoring.matrix);
  }
  Layout layout() const override { return {}; }
  std::int32_t highest_score() const override { return 0xffff; }
  std::uint64_t bytes(std::size_t query, const SortedSequences& /*subjects*/, PositionRange range,
                      int /*multiprocessors*/) const override {
    return 2 * sizeof(uint4) * ((query + 3) / 4) * std::min(range.size(), kThreads * kBlocks);
  }

  void score(const QuerySearch& work) override {
    Launch launch{};
    launch.subjects = work.subjects;
    launch.words = static_cast<std::uint32_t>((work.query.size() + 3) / 4);
    staging_.clear();
    const auto profile = staging_.add(packed_profile(work.query, work.scoring.matrix));
    staging_.upload(work.stream);
    launch.profile = staging_.at(profile);
    launch.opened = work.scoring.open + work.scoring.extend;
    launch.extend = work.scoring.extend;
    launch.stop = work.stop;
    const unsigned blocks = std::min((work.range.size() + kThreads - 1) / kThreads, kBlocks);
    launch.buffers = buffers_.reserve(std::uint64_t{2} * launch.words * blocks * kThreads);
    const KernelRange range = kernel_range(work.range);
    for (launch.first = range.begin; launch.first < range.end; launch.first = launch.end) {
      launch.end = std::min(launch.first + blocks * kThreads, range.end);
      launch.scores = work.scores + (launch.first - range.begin);
      check(launch_kernel(score_subjects, blocks, kThreads, 0, work.stream, launch), "the kernel of sw-cuda");
    }
  }

 private:
  Staging staging_;
  DeviceArray<uint4> buffers_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_sw_cuda() { return std::make_unique<SwCuda>(); }

}  // namespace alnus::cuda::papers
