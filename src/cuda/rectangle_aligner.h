// Alignments of all pairs of a rectangle or staircase, 16 bits (docs/cuda-kernels.md).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/device.h"
#include "cuda/alignments.h"
#include "cuda/chains.h"
#include "cuda/cuda_sequences.h"
#include "cuda/kernels/traceback16.h"
#include "cuda/occupancy.h"
#include "cuda/range16.h"
#include "cuda/runtime.h"
#include "cuda/scores16_inputs.h"
#include "cuda/stages.h"
#include "cuda/staging.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

class RectangleAligner {
 public:
  // `memory_bytes`: device memory for what is kept of the dynamic programming matrices (Trace16), and for
  // results. Uploader and stopper must outlive the aligner.
  RectangleAligner(int multiprocessors, std::uint64_t memory_bytes, Uploader& uploader, Stopper& stopper)
      : occupancy_(multiprocessors),
        part_bytes_(memory_bytes / kFlights),
        uploader_(uploader),
        stopper_(stopper) {}

  // True if there is a version of the kernels for the scoring. `shared_bytes`: bytes of shared memory that a
  // thread block can have.
  static bool fits(const Scoring& scoring, std::size_t shared_bytes);

  // Aligns the pairs of a tile. left() then has the pairs that are left over: those for which 16 bits do not
  // suffice, whose sequences are empty, or which take too much memory. Returns when the tracebacks have
  // ended; the CIGARs are still being written and copied to the host (Alignments::wait). Throws what the
  // stopper throws.
  void run(const Tile& tile, const Problem& problem, const CudaSequences& columns, Alignments& alignments,
           Stages& stages);
  const std::vector<PositionPair>& left() const { return left_; }
  // Waits until a run that was stopped has left nothing on the device.
  void settle() {
    uploads_.wait();
    for (const Flight& flight : flights_) flight.stream.wait();
    copies_.wait();
  }
  // Frees the buffers that take most memory.
  void release() {
    for (Flight& flight : flights_) flight.windows = {};
  }

 private:
  struct Work;  // what is known of a tile
  struct Rows;  // some of the tile's rows, laid out
  struct Part;  // some columns, which are aligned with these rows at a time

  // What a part needs until its results are on the host. The next part uses the other Flight meanwhile.
  struct Flight {
    Stream stream;
    Staging staging;
    DeviceArray<uint4> profiles, scores_of_rows, windows, last_columns;
    DeviceArray<uint2> boundary;
    DeviceArray<std::uint32_t> bests, items_taken;
    DeviceArray<std::int32_t> scores;
    DeviceArray<std::uint64_t> moves;
    DeviceArray<Walked> walked;
    DeviceArray<CigarRun> runs;
    DeviceArray<PackedRun> packed_runs;
    DeviceArray<PackedPair> packed;
    DeviceArray<TracebackTotals> totals;
    DeviceArray<PairResult> results;
    DeviceArray<std::uint32_t> overflown;
    PinnedArray<TracebackTotals> host_totals;
    PinnedArray<std::uint32_t> host_overflown;
    Event traced, written, landed;
    Traceback16 traceback{};
    const std::uint8_t* codes = nullptr;  // letters of the rows
    const std::int32_t* matrix = nullptr;
    std::uint64_t pairs = 0, first_result = 0;
    std::size_t part = 0;    // number of the part in the tile
    bool under_way = false;  // from the launch until land()
  };
  // Parts that are on the device at the same time. When few thread blocks of a part's kernel are still at
  // work, thread blocks of the other part fill the multiprocessors. More than two parts were not faster, not
  // even with more memory (docs/ideas.md).
  static constexpr std::size_t kFlights = 2;

  void align_slab(const Work& work, const Slab& slab, PositionRange positions);
  static std::uint64_t bytes_of_quad(const Work& work, PositionRange rows, std::uint32_t columns);
  Rows lay_out(const Work& work, PositionRange range, PositionRange columns, const Slab& slab);
  static std::vector<Bin> wanted_bins(const Work& work, const Rows& rows, const Part& part, const Slab& slab);
  Part cut(const Rows& rows, const Slab& slab, PositionRange positions) const;
  void align(const Work& work, const Rows& rows, const Part& part, const Slab& slab);
  Scores16 compute(const Work& work, const Rows& rows, const Part& part, const Slab& slab, Flight& flight);
  uint4* room_for_windows(Flight& flight, std::uint64_t elements) const;
  void land_all();
  void land(Flight& flight);
  template <class Run, class Write>
  void write_runs(Flight& flight, DeviceArray<Run>& runs, std::vector<PinnedArray<Run>>& of_parts,
                  const Write& write);

  Occupancy<Scores16Kernel> occupancy_;
  // Bytes of device memory for what is kept of a part's dynamic programming matrices and for its results.
  // Profiles, CIGARs, the rows that passes hand to each other, and buffers larger than a part needs come in
  // addition.
  const std::uint64_t part_bytes_;
  Uploader& uploader_;
  Stopper& stopper_;
  Stream uploads_, copies_;
  std::array<Flight, kFlights> flights_;
  std::size_t next_flight_ = 0;
  std::size_t parts_ = 0;  // number of the tile's parts so far
  Alignments* alignments_ = nullptr;
  std::uint64_t most_runs_ = 0;  // most runs of any part so far; pinned memory for so many is taken, because
                                 // later parts need as much
  std::vector<PositionPair> left_;
};

}  // namespace alnus::cuda
