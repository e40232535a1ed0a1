// The partitioned vectorized algorithm of CUDASW++ 2.0: Liu, Schmidt and Maskell (2010), BMC Research Notes
// 3:93.
//
// Half a warp is a SIMD vector of 16 lanes, and aligns the query with one subject, a partition of 256 rows of
// the query at a time, column by column. Rows are striped over the lanes as in Farrar (2007): lane v has rows
// 16 v to 16 v + 15, and keeps their H and E in registers. A column is computed as if no F came from one lane
// to the next. The lazy-F loop then corrects the column, until the warp votes that there is nothing more to
// correct. H of a partition's last row, and F of the row below it, go to the next partition through global
// memory.
#include <algorithm>
#include <limits>
#include <vector>

#include "cuda/kernels/launch.h"
#include "cuda/kernels/stop.cuh"
#include "cuda/runtime.h"
#include "cuda/staging.h"
#include "papers/method.h"
#include "papers/profile.h"

namespace alnus::cuda::papers {
namespace {

constexpr PaperMethod kPaper{"cudasw2-striped", "cudaswpp2-2010", "Partitioned"};

constexpr std::uint32_t kLanes = 16, kSegments = 16, kPartition = kLanes * kSegments;

// The best configuration that the paper found.
constexpr unsigned kThreads = 192, kBlocksOfMultiprocessor = 128;
constexpr std::uint32_t kVectors = kThreads / kLanes;

// What a partition hands to the next one in a column, in 32 bits as in the registers. The paper's half-words
// are for its basic algorithm, which has all of H and E in global memory.
struct alignas(8) Border {
  std::int32_t h, f;  // H of the last row; F of the row below it
};

struct Launch {
  Sequences subjects;
  std::uint32_t first, end;      // positions of the launch; each vector takes one
  const std::uint32_t* profile;  // striped_profile(), read through the read-only cache (the paper: a texture)
  std::uint32_t partitions;
  Border* borders;              // one for each residue of the launch's subjects
  std::int32_t opened, extend;  // costs of a gap's first residue, and of each further one
  const std::uint32_t* stop;
  std::int32_t* scores;
};

// Moves the elements of a vector on by one lane; the first lane gets `first`. Goes through shared memory,
// because the paper's GPUs had no shuffles.
__device__ std::int32_t shift(std::int32_t* buffer, std::int32_t element, std::int32_t first) {
  buffer[threadIdx.x] = element;
  __syncwarp();
  const std::int32_t shifted = threadIdx.x % kLanes == 0 ? first : buffer[threadIdx.x - 1];
  __syncwarp();
  return shifted;
}

__global__ void __launch_bounds__(kThreads) score_subjects(const __grid_constant__ Launch work) {
  __shared__ std::int32_t buffer[kThreads];
  const std::uint32_t lane = threadIdx.x % kLanes, vector = blockIdx.x * kVectors + threadIdx.x / kLanes;
  const bool has_subject = vector < work.end - work.first;
  const std::uint32_t subject = has_subject ? work.first + vector : work.first;
  const std::uint64_t place = work.subjects.places[subject];
  const std::uint8_t* const residues = work.subjects.residues + place;
  Border* const borders = work.borders + (place - work.subjects.places[work.first]);
  const std::uint32_t length = has_subject ? work.subjects.lengths[subject] : 0;
  // The two vectors of a warp stay in step: the one with the shorter subject goes on with columns of padding.
  const std::uint32_t columns = max(length, __shfl_xor_sync(~0U, length, kLanes));

  constexpr std::uint32_t kColumnsBetweenLooks = 4096;  // columns between looks at the stop word
  std::int32_t best = 0;
  for (std::uint32_t partition = 0; partition < work.partitions; ++partition) {
    const bool is_first = partition == 0, is_last = partition + 1 == work.partitions;
    const std::uint32_t* const profile = work.profile + partition * (kMaxLetters * kPartition / 4) + lane;
    std::int32_t h[kSegments] = {}, e[kSegments] = {}, h_above = 0;
    for (std::uint32_t column = 0; column < columns; ++column) {
      if (column % kColumnsBetweenLooks == 0 && __any_sync(~0U, stops(work.stop))) return;
      const bool inside = column < length;
      const std::uint32_t* const scores_of = profile + (inside ? residues[column] : kPad) * (kPartition / 4);
      const Border above = inside && !is_first ? borders[column] : Border{0, 0};

      std::int32_t h_diagonal = shift(buffer, h[kSegments - 1], h_above), f = lane == 0 ? above.f : 0;
      h_above = above.h;
      std::uint32_t scores = 0;
#pragma unroll
      for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
        if (segment % 4 == 0) scores = __ldg(scores_of + segment / 4 * kLanes);
        const auto score = static_cast<std::int8_t>(scores >> (8 * (segment % 4)));
        const std::int32_t h_here = max(max(h_diagonal + score, e[segment]), max(f, 0));
        h_diagonal = h[segment];
        h[segment] = h_here;
        best = max(best, h_here);
        e[segment] = max(e[segment] - work.extend, h_here - work.opened);
        f = max(f - work.extend, h_here - work.opened);
      }

      // Carries F of a lane's last row on through the next lane, until F is no higher than the F that this
      // lane's H gives before the correction. H after the correction would not do: with linear gaps, an H
      // that F has raised gives an F as high again. The correction never gives a new best.
      const auto corrected = [&] {
#pragma unroll
        for (std::uint32_t segment = 0; segment < kSegments; ++segment) {
          const std::int32_t f_before = max(h[segment] - work.opened, 0);
          h[segment] = max(h[segment], f);
          e[segment] = max(e[segment], h[segment] - work.opened);
          f -= work.extend;
          if (__all_sync(~0U, f <= f_before)) return true;
        }
        return false;
      };
      std::int32_t f_below = 0;
      do {
        f_below = max(f_below, f);
        f = shift(buffer, f, 0);
      } while (!corrected());
      if (inside && !is_last && lane == kLanes - 1) borders[column] = {h[kSegments - 1], f_below};
    }
    __syncwarp();  // the last lane has written what the first one reads
  }
  for (std::uint32_t distance = kLanes / 2; distance > 0; distance /= 2)
    best = max(best, __shfl_xor_sync(~0U, best, distance));
  if (has_subject && lane == 0) work.scores[vector] = best;
}

// [partition][letter][segment / 4][lane]: each word has four scores of a lane's rows, so that the words that
// lanes read at a time lie side by side. Padding of the query and of subjects scores 0, which gives no new
// best.
std::vector<std::uint32_t> striped_profile(std::span<const Residue> query, const SubstitutionMatrix& matrix) {
  const std::size_t partitions = (query.size() + kPartition - 1) / kPartition;
  std::vector<std::uint32_t> profile(partitions * kMaxLetters * kPartition / 4);
  for (std::size_t row = 0; row < query.size(); ++row) {
    const std::size_t partition = row / kPartition, lane = row % kPartition / kSegments,
                      segment = row % kSegments;
    for (std::size_t letter = 0; letter < kPad; ++letter) {
      const auto score = static_cast<std::uint8_t>(matrix.value(query[row], static_cast<Residue>(letter)));
      profile[((partition * kMaxLetters + letter) * (kSegments / 4) + segment / 4) * kLanes + lane] |=
          std::uint32_t{score} << (8 * (segment % 4));
    }
  }
  return profile;
}

class Cudasw2Striped : public SearchMethod {
 public:
  const PaperMethod& paper() const override { return kPaper; }
  double expected_gcups() const override { return 1700; }
  std::string declines(const Scoring& scoring) const override {
    return too_large_for_bytes(kPaper.name, scoring.matrix);
  }
  Layout layout() const override { return {}; }
  std::int32_t highest_score() const override { return std::numeric_limits<std::int32_t>::max(); }
  std::uint64_t bytes(std::size_t query, const SortedSequences& subjects, PositionRange range,
                      int multiprocessors) const override {
    const Position end = std::min(range.begin + most_vectors(multiprocessors), range.end);
    if (query <= kPartition) return 0;
    return sizeof(Border) * subjects.residues({range.begin, end});
  }

  void score(const QuerySearch& work) override {
    Launch launch{};
    launch.subjects = work.subjects;
    launch.partitions = static_cast<std::uint32_t>((work.query.size() + kPartition - 1) / kPartition);
    staging_.clear();
    const auto profile = staging_.add(striped_profile(work.query, work.scoring.matrix));
    staging_.upload(work.stream);
    launch.profile = staging_.at(profile);
    launch.opened = work.scoring.open + work.scoring.extend;
    launch.extend = work.scoring.extend;
    launch.stop = work.stop;
    const std::uint32_t most = most_vectors(work.multiprocessors);
    for (PositionRange part{work.range.begin, {}}; part.begin < work.range.end; part.begin = part.end) {
      part.end = std::min(part.begin + most, work.range.end);
      launch.first = part.begin.value();
      launch.end = part.end.value();
      launch.borders = borders_.reserve(launch.partitions > 1 ? work.sorted.residues(part) : 0);
      launch.scores = work.scores + (part.begin - work.range.begin);
      const unsigned blocks = (part.size() + kVectors - 1) / kVectors;
      check(launch_kernel(score_subjects, blocks, kThreads, 0, work.stream, launch),
            "the kernel of cudasw2-striped");
    }
  }

 private:
  // The most vectors of a launch.
  static std::uint32_t most_vectors(int multiprocessors) {
    return kBlocksOfMultiprocessor * static_cast<unsigned>(multiprocessors) * kVectors;
  }

  Staging staging_;
  DeviceArray<Border> borders_;
};

}  // namespace

std::unique_ptr<SearchMethod> make_cudasw2_striped() { return std::make_unique<Cudasw2Striped>(); }

}  // namespace alnus::cuda::papers
