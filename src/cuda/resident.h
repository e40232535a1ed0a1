// A database in a GPU's memory.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "alnus/matrix.h"
#include "core/device.h"
#include "cuda/chains.h"
#include "cuda/runtime.h"

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

// Consecutive positions that are in device memory together. Everything is in the device's memory but the
// spans.
struct Slab {
  std::uint32_t begin = 0, end = 0;  // positions; begin is a multiple of kSubjects
  const std::uint8_t* packed = nullptr;
  const std::uint64_t* places = nullptr;   // of the quads from `begin` on
  const std::uint32_t* lengths = nullptr;  // from `begin` on
  Subjects subjects;                       // the same on the host
};

class CudaResident : public Resident {
 public:
  // At most `memory_bytes` are taken for residues. When they do not suffice for all, the sequences pass
  // through two buffers of half of it.
  CudaResident(SequenceSet sequences, std::uint64_t memory_bytes);

  std::uint32_t slab_count() const { return static_cast<std::uint32_t>(begins_.size() - 1); }
  Range slab_range(std::uint32_t slab) const { return {begins_[slab], begins_[slab + 1]}; }

  // Whether slabs take each other's place in device memory.
  bool streams() const { return slab_count() > buffers_.size(); }
  // The slab that holds the position.
  std::uint32_t slab_of(std::uint32_t position) const;

  // Puts a slab into device memory, if it is not there; it is when the call returns. Another slab takes the
  // place of the one two before or after it. One caller at a time where that changes anything: uploading().
  Slab bring(std::uint32_t slab, const Letters& letters, cudaStream_t stream) const;

  std::mutex& uploading() const { return uploading_; }

  // Of device memory: what all slabs take together (or the two that are there at a time), and what is taken.
  std::uint64_t all_bytes() const;
  std::uint64_t held_bytes() const;
  // Whether the last slab that was wanted could not be brought.
  bool lacks_room() const { return lacks_room_; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Buffer {
    DeviceArray<std::uint8_t> packed;
    DeviceArray<std::uint64_t> places;
    DeviceArray<std::uint32_t> lengths;
    std::uint32_t slab = kNone;  // that is in it
  };
  void upload(std::uint32_t slab, Buffer& buffer, const Letters& letters, cudaStream_t stream) const;

  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint64_t> places_;        // of quads, from the first byte of their slab
  std::vector<std::uint32_t> begins_;        // of slabs, and the end
  std::vector<std::uint64_t> packed_bytes_;  // of slabs

  // A copy of what there is, for the device's kernels.
  mutable std::array<Buffer, 2> buffers_;
  mutable std::mutex uploading_;
  mutable bool lacks_room_ = false;
  mutable std::unique_ptr<Letters> letters_;  // that they were packed with
};

}  // namespace alnus::cuda
