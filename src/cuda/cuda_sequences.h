// Sorted sequences in a GPU's memory, packed for the 16-bit kernels: the residues of four sequences of about
// the same length, a quad, lie side by side.
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

// The letters that stand for residues in the kernels. Alike::one: residues that score the same with
// everything, as query and as subject, are one letter. Alike::several: all residues of the alphabet are told
// apart.
class Letters {
 public:
  enum class Alike : std::uint8_t { one, several };
  explicit Letters(const SubstitutionMatrix& matrix, Alike of_those = Alike::one);
  // The number of letters with the pad, which fills up shorter sequences and is the last letter.
  std::uint32_t count() const { return count_; }
  std::uint8_t of(Residue residue) const { return of_[residue]; }
  const std::array<std::uint8_t, 256>& table() const { return of_; }  // by residue; [255] is the pad
  // The score of two letters is at [query's letter * kMaxLetters + subject's letter]. The pad has no scores.
  const std::vector<std::int32_t>& scores() const { return scores_; }
  bool operator==(const Letters& other) const { return of_ == other.of_; }

 private:
  std::array<std::uint8_t, 256> of_{};
  std::uint32_t count_ = 0;
  std::vector<std::int32_t> scores_;
};

// A range of offsets in a slab: distances from the slab's first position. Kernels number subjects by offset.
using SlabRange = RangeOf<std::uint32_t>;

// Consecutive sequences that are in device memory together. The pointers are the device's; the spans of
// `subjects` are the host's.
struct Slab {
  PositionRange range;  // begins at a multiple of kSubjects
  const std::uint8_t* packed = nullptr;
  const std::uint64_t* places = nullptr;   // [quad]: index of its first column in `packed`
  const std::uint32_t* lengths = nullptr;  // by offset
  Subjects subjects;                       // lengths and places on the host

  std::uint32_t offset_of(Position position) const { return position - range.begin; }
  SlabRange offsets_of(PositionRange positions) const {
    return {offset_of(positions.begin), offset_of(positions.end)};
  }
};

// Brings residues to the device, through two pinned pieces of host memory and their counterparts on the
// device. These stay allocated from upload to upload: freeing them would wait for all kernels that run, and
// nobody would look at the stop flag meanwhile. For one run at a time (CudaDevice::run).
class Uploader {
 public:
  // The stopper must outlive the uploader.
  explicit Uploader(Stopper& stopper) : stopper_(stopper) {}

 private:
  friend class CudaSequences;
  struct Piece {
    PinnedArray<std::uint8_t> residues;
    PinnedArray<RawSequence> sequences;
    DeviceArray<std::uint8_t> raw;
    DeviceArray<RawSequence> raw_sequences;
    Event done;  // the device has packed the piece
  };

  Stopper& stopper_;
  std::array<Piece, 2> pieces_;
  DeviceArray<std::uint8_t> letters_;
};

class CudaSequences : public DeviceSequences {
 public:
  // If the residency's budget does not suffice for all sequences, they pass in slabs through two buffers of
  // half the budget each. A slab has at least one quad, however long its sequences are.
  CudaSequences(std::shared_ptr<const SortedSequences> sorted, std::shared_ptr<Residency> residency);
  ~CudaSequences() override;  // may run on any thread

  std::uint32_t slab_count() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  PositionRange slab_range(std::uint32_t slab) const { return {begins_[slab], begins_[slab + 1]}; }
  // The slab that holds the position.
  std::uint32_t slab_of(Position position) const;

  // Returns a slab in device memory, after uploading it if it is not there with these letters. The upload has
  // ended when this returns. Slabs of even numbers share one buffer and those of odd numbers the other, so
  // the slab may replace another one; other sets may lose their device memory. Throws Error(memory) if there
  // is no room for the slab, Error(device) if a call of CUDA fails, and Interrupted; then the set has no
  // device memory. Only the one run that computes may call this.
  Slab bring(std::uint32_t slab, const Letters& letters, cudaStream_t stream, Uploader& uploader) const;
  // True if the last upload of a slab failed. An upload that was stopped does not count as failed.
  bool lacks_room() const { return lacks_room_; }

  // Device memory that the set takes now, in bytes.
  std::uint64_t resident_bytes() const { return residency_->bytes_of(*this); }

 private:
  friend class Residency;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  // Holds the places of a slab's quads, then the lengths of its sequences, then the residues.
  struct Buffer {
    DeviceArray<std::byte> memory;
    std::uint32_t slab = kNone;  // the slab that is in it
  };
  // The device addresses of the three arrays in a buffer.
  struct Parts {
    std::uint64_t* places;
    std::uint32_t* lengths;
    std::uint8_t* packed;
  };
  Parts parts_of(std::uint32_t slab, const Buffer& buffer) const;
  std::uint32_t quads_of(std::uint32_t slab) const;
  std::uint32_t buffer_count() const;
  std::uint64_t all_bytes() const;  // of all buffers together
  void upload(std::uint32_t slab, Buffer& buffer, const Letters& letters, cudaStream_t stream,
              Uploader& uploader) const;
  void free_buffers() const { buffers_ = {}; }

  const std::shared_ptr<Residency> residency_;
  std::vector<std::uint32_t> lengths_;     // by position
  std::vector<std::uint64_t> places_;      // of quads: indexes in the packed residues of their slab
  std::vector<Position> begins_;           // first positions of the slabs, and the end
  std::vector<std::uint64_t> slab_bytes_;  // of each slab in device memory
  std::uint64_t buffer_bytes_ = 0;         // of the largest slab

  // The copy in device memory. It may change in a const object, because the sequences that the object stands
  // for stay the same.
  mutable std::array<Buffer, 2> buffers_;
  mutable bool lacks_room_ = false;
  mutable std::unique_ptr<Letters> letters_;  // with which the buffers were packed
};

}  // namespace alnus::cuda
