// Methods of published papers as what they are: reference implementations, one file each, that keep to their
// paper's layout, packing and block shape and are not tuned beyond it. docs/papers says what they taught us.
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <span>
#include <string>

#include "alnus/scoring.h"
#include "core/device.h"

namespace alnus::cuda {

// How sequences lie in device memory: words of `packed` residues, those of `group` sequences (of similar
// length) side by side. Groups of one, words of one: sequence after sequence.
struct Layout {
  std::uint32_t group = 1, packed = 1;
};

// The sequences of a Resident on the device, by position. Residues are codes below 32; what fills the last
// word of a sequence, and groups to the length of their longest, is kPad.
inline constexpr std::uint8_t kPad = 31;
struct Sequences {
  const std::uint8_t* residues;
  const std::uint64_t* places;  // of the first word of each group, in words
  const std::uint32_t* lengths;
};

// One query and those of the resident subjects that are in `range`.
struct QuerySearch {
  std::span<const Residue> query;  // of 1 residue and more
  const Scoring& scoring;
  Sequences subjects;
  const Resident& resident;  // the same on the host: in order of decreasing length
  Range range;
  std::int32_t* scores;  // out, on the device: [range.size()]
  int multiprocessors;
  cudaStream_t stream;  // the host waits for it before the next query
};

// A database search: local scores of one query at a time.
class SearchMethod {
 public:
  virtual ~SearchMethod() = default;
  virtual const PaperMethod& paper() const = 0;
  virtual double expected_gcups() const = 0;  // of a full H200
  // Why the paper's method cannot do this, as a sentence; empty if it can. Asked for Mode::local only.
  virtual std::string declines(const Scoring& scoring) const = 0;
  virtual Layout layout() const = 0;
  // Scores up to this one are exact; where the method tells a higher one, the pair is done again in 32 bits.
  virtual std::int32_t highest_score() const = 0;
  virtual void score(const QuerySearch& work) = 0;
};

std::unique_ptr<SearchMethod> make_sw_cuda();
std::unique_ptr<SearchMethod> make_band_sweep();
std::unique_ptr<SearchMethod> make_cudasw2_simt();
std::unique_ptr<SearchMethod> make_cudasw2_striped();
std::unique_ptr<SearchMethod> make_prefix_scan();

}  // namespace alnus::cuda
