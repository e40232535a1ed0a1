// Aligns one pair with `striped`, in bounded memory whatever the lengths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "alnus/alignment.h"
#include "core/stop_flag.h"
#include "cpu/aligned_buffer.h"
#include "cpu/kernel_set.h"
#include "cpu/scoring_tables.h"

namespace alnus::cpu {

// Bytes that one worker's tracebacks may take.
struct MemoryLimits {
  std::uint64_t trace = 0;   // for the trace, checkpoints or snapshots of a batch or a pair
  std::uint64_t states = 0;  // for a pair whose trace is larger: kept columns (single_pair.cpp)
};

// The buffers that kernels work in, kept from run to run.
struct KernelBuffers {
  std::vector<std::uint8_t> subject;  // codes
  AlignedBuffer workspace, state, trace;
};

struct SinglePair {
  std::span<const Residue> query, subject;    // neither is empty
  std::span<const std::uint8_t> query_codes;  // the query without case, 0..31
  const ScoringTables* tables = nullptr;
  Rules rules;  // with which all values fit the kernel's lanes
  Want want = Want::score;
  std::int32_t floor = std::numeric_limits<std::int32_t>::min();
};

inline std::uint8_t code_of(Residue residue) { return residue & kCodeMask; }

inline Want want_of(Detail detail) {
  return detail == Detail::score ? Want::score : detail == Detail::ends ? Want::ends : Want::trace;
}

// True if the lanes of `widest`, the kernels with the most bits in a lane, can hold the score of a pair of
// which one sequence is empty and the other has `residues` residues. In mode local this score is 0; in the
// other modes the pair costs at most one gap of all residues.
bool fits_when_empty(const Scoring& scoring, std::size_t residues, const WideKernels& widest);

// Returns the alignment with what SinglePair::want names, or nothing if its score is below SinglePair::floor.
// Throws Interrupted when the flag is requested, Error(memory) if a buffer cannot be allocated.
std::optional<Alignment> align_striped(const SinglePair& pair, const WideKernels& kernels,
                                       const MemoryLimits& limits, KernelBuffers& buffers,
                                       const StopFlag& stop_flag);

}  // namespace alnus::cpu
