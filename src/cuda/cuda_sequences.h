// A database in a GPU's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "alnus/matrix.h"
#include "core/device.h"
#include "cuda/chains.h"
#include "cuda/kernels/search.h"
#include "cuda/residency.h"
#include "cuda/runtime.h"
#include "cuda/stopper.h"

namespace alnus::cuda {

// What residues are to the kernels. Those that score alike with everything, in both roles, are one letter,
// unless all residues are to be told apart.
class Letters {
 public:
  enum class Alike : std::uint8_t { one, several };
  explicit Letters(const SubstitutionMatrix& matrix, Alike of_those = Alike::one);
  std::uint32_t count() const { return count_; }  // with the pad, which is the last
  std::uint8_t of(Residue residue) const { return of_[residue]; }
  const std::array<std::uint8_t, 256>& table() const { return of_; }  // [255]: the pad
  // scores[query letter * 32 + subject letter], without the pad.
  const std::vector<std::int32_t>& scores() const { return scores_; }
  bool operator==(const Letters& other) const { return of_ == other.of_; }

 private:
  std::array<std::uint8_t, 256> of_{};
  std::uint32_t count_ = 0;
  std::vector<std::int32_t> scores_;
};

// Offsets in a slab: distances from its first position. Kernels know subjects by them.
using SlabRange = RangeOf<std::uint32_t>;

// Consecutive sequences that are in device memory together. Everything is in the device's memory but the
// spans.
struct Slab {
  PositionRange range;  // begins at a multiple of kSubjects
  const std::uint8_t* packed = nullptr;
  const std::uint64_t* places = nullptr;   // of the slab's quads
  const std::uint32_t* lengths = nullptr;  // by offset
  Subjects subjects;                       // the same on the host

  std::uint32_t offset_of(Position position) const { return position - range.begin; }
  SlabRange offsets_of(PositionRange positions) const {
    return {offset_of(positions.begin), offset_of(positions.end)};
  }
};

// One run at a time works with sets in device memory (CudaDevice::run), and calls bring().
// The way of residues to the device: two pinned pieces, and their counterparts on the device, which stay from
// upload to upload. To free them would wait for all kernels that run, and nobody would look at the stop flag.
class Uploader {
 public:
  // The stopper must live as long.
  explicit Uploader(Stopper& stopper) : stopper_(stopper) {}

 private:
  friend class CudaSequences;
  struct Piece {
    PinnedArray<std::uint8_t> residues;
    PinnedArray<RawSequence> sequences;
    DeviceArray<std::uint8_t> raw;
    DeviceArray<RawSequence> raw_sequences;
    Event done;
  };

  Stopper& stopper_;
  std::array<Piece, 2> pieces_;
  DeviceArray<std::uint8_t> letters_;
};

class CudaSequences : public DeviceSequences {
 public:
  // When the budget does not suffice for all sequences, they pass through two buffers of half of it. A buffer
  // holds four sequences at least, whatever these take.
  CudaSequences(std::shared_ptr<const SortedSequences> sorted, std::shared_ptr<Residency> residency);
  ~CudaSequences() override;  // on any thread

  std::uint32_t slab_count() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  PositionRange slab_range(std::uint32_t slab) const { return {begins_[slab], begins_[slab + 1]}; }
  // The slab that holds the position.
  std::uint32_t slab_of(Position position) const;

  // Puts a slab into device memory, if it is not there; it is when the call returns. Another slab takes the
  // place of the one two before or after it, and other sets may have to make room. Throws Error(memory) if
  // there is no room for it, and what the stopper throws; the slab is not there then.
  Slab bring(std::uint32_t slab, const Letters& letters, cudaStream_t stream, Uploader& uploader) const;
  // True if the last slab that was wanted could not be brought.
  bool lacks_room() const { return lacks_room_; }

  // Device memory that the set takes now, in bytes.
  std::uint64_t resident_bytes() const { return residency_->bytes_of(*this); }

 private:
  friend class Residency;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // Holds the places of a slab's quads, then the lengths of its sequences, then the residues.
  struct Buffer {
    DeviceArray<std::byte> memory;
    std::uint32_t slab = kNone;  // that is in it
  };
  // Where these are on the device.
  struct Parts {
    std::uint64_t* places;
    std::uint32_t* lengths;
    std::uint8_t* packed;
  };
  Parts parts_of(std::uint32_t slab, const Buffer& buffer) const;
  std::uint32_t quads_of(std::uint32_t slab) const;
  std::uint32_t buffer_count() const;
  std::uint64_t all_bytes() const;  // of its buffers together
  void upload(std::uint32_t slab, Buffer& buffer, const Letters& letters, cudaStream_t stream,
              Uploader& uploader) const;
  void free_buffers() const { buffers_ = {}; }

  const std::shared_ptr<Residency> residency_;
  std::vector<std::uint32_t> lengths_;     // by position
  std::vector<std::uint64_t> places_;      // of quads, from the first residue of their slab
  std::vector<Position> begins_;           // of slabs, and the end
  std::vector<std::uint64_t> slab_bytes_;  // of each slab in device memory
  std::uint64_t buffer_bytes_ = 0;         // of the largest slab

  // A copy of what there is, for the device's kernels.
  mutable std::array<Buffer, 2> buffers_;
  mutable bool lacks_room_ = false;
  mutable std::unique_ptr<Letters> letters_;  // that they were packed with
};

}  // namespace alnus::cuda
