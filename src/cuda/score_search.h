// Scores of all queries of a tile with all its subjects, 16 bits (docs/cuda-kernels.md).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/device.h"
#include "cuda/chains.h"
#include "cuda/cuda_sequences.h"
#include "cuda/found_pairs.h"
#include "cuda/hit_selector.h"
#include "cuda/long_subjects.h"
#include "cuda/runtime.h"
#include "cuda/shapes.h"
#include "cuda/short_scores.h"
#include "cuda/stages.h"
#include "cuda/staging.h"
#include "cuda/stopper.h"
#include "cuda/subject_parts.h"

namespace alnus::cuda {

// What a run has found for the sink: some pairs, or the scores of all pairs.
using Found = std::variant<FoundPairs*, TileScores>;
// Holds what a run has found, until another run gets the same object.
struct FoundBuffers {
  FoundPairs pairs;
  PinnedArray<std::int32_t> all_scores;
};

class ScoreSearch {
 public:
  // `shared_bytes`: bytes of shared memory that a thread block can have. `memory_bytes`: device memory for
  // the rows that the passes of a kernel hand to each other. Uploader and stopper must outlive the search.
  ScoreSearch(int multiprocessors, std::size_t shared_bytes, std::uint64_t memory_bytes, Uploader& uploader,
              Stopper& stopper);

  // fits(): true if there is a version of the kernel for the scoring. known_share(): the fraction of a
  // rectangle's cells for which 16 bits suffice. It is 1 in mode local, where the few pairs for which they do
  // not suffice are found when they are scored.
  static bool fits(const Scoring& scoring);
  static double known_share(const Tile& tile, const Scoring& scoring);

  // Scores a rectangle, or a staircase whose sink has no limit(). `forced`: the version of the kernel; if
  // empty, it is chosen for the tile. What is returned lies in `buffers`. Throws TooManyFound, Error(memory)
  // or Error(device), and what the stopper throws.
  Found run(const Tile& tile, const Scoring& scoring, const Sink& sink, const CudaSequences& columns,
            const std::optional<Version>& forced, FoundBuffers& buffers, Stages& stages);
  // Waits until a run that was stopped has left nothing on the device.
  void settle();

 private:
  struct Work;    // what is known of a tile, on the host
  struct Launch;  // a part, and what its launch has on the device

  QueryKind kind_of(const Work& work) const;
  PartsProblem problem_of(const Work& work) const;
  // The stream of a part: stream_ if Part::stream is 0.
  const Stream& stream_of(const Part& part) const {
    return part.stream == 0 ? stream_ : beside_[part.stream - 1];
  }
  std::vector<Launch> stage(const std::vector<Part>& parts);
  void reserve(const std::vector<Launch>& launches, const Work& work);
  Scores16 task_of(const Work& work, const Slab& slab, SlabRange subjects) const;
  Profiles profiles_of(const Work& work) const;
  void launch_part(const Launch& launch, const Work& work, const Slab& slab);
  LongScores long_scores_of(const Work& work, const Slab& slab, std::uint64_t residues) const;
  ScoredSlab start(Work& work, const Slab& slab, PositionRange positions);
  void copy_all(const Work& work, PositionRange positions);
  void collect(const Work& work, const ScoredSlab& scored, PositionRange positions, FoundPairs& pairs);

  const int multiprocessors_;
  const std::size_t shared_bytes_;
  PartMaker part_maker_;
  Uploader& uploader_;
  Stopper& stopper_;
  Stream stream_, upload_;
  std::array<Stream, kPartStreams - 1> beside_;  // for parts that run beside those on stream_
  Event begun_, ready_, scored_, done_;
  std::array<Event, kPartStreams - 1> beside_done_;

  Staging staging_;
  std::array<DeviceArray<uint4>, kMostParts> profiles_;
  DeviceArray<uint2> boundary_;  // rows between the passes of all parts
  DeviceArray<std::int32_t> scores_;
  // Counters of the items that are taken: one for each part, and then those of Spread.
  DeviceArray<std::uint32_t> items_taken_;
  ShortScores short_scores_;
  LongSubjects long_subjects_;
  HitSelector selector_;
  PinnedArray<Candidate> rescored_;  // pairs that were scored again, if all scores are handed over
};

}  // namespace alnus::cuda
