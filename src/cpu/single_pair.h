// One pair in the lanes of `striped`, in memory that is bounded whatever its lengths.
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
  std::uint64_t trace = 0;   // a batch's or a pair's trace, or what stands for it
  std::uint64_t states = 0;  // of a pair whose trace is longer: what it keeps to be done again in pieces
};

// What a kernel works in, kept from run to run.
struct KernelBuffers {
  std::vector<std::uint8_t> subject;  // codes
  AlignedBuffer workspace, state, trace;
};

struct SinglePair {
  std::span<const Residue> query, subject;    // neither is empty
  std::span<const std::uint8_t> query_codes;  // 0..31
  const ScoringTables* tables = nullptr;
  Rules rules;  // by which all values fit the kernel's lanes
  Want want = Want::score;
  std::int32_t floor = std::numeric_limits<std::int32_t>::min();
};

inline std::uint8_t code_of(Residue residue) { return residue & kCodeMask; }

inline Want want_of(Detail detail) {
  return detail == Detail::score ? Want::score : detail == Detail::ends ? Want::ends : Want::trace;
}

// True if a pair of so many residues, all of them in one sequence, has a score that the kernels' values hold.
bool fits_when_empty(const Scoring& scoring, std::size_t residues, const WideKernels& widest);

// Nothing if the score is below the floor. Throws Interrupted when the flag is requested.
std::optional<Alignment> align_striped(const SinglePair& pair, const WideKernels& kernels,
                                       const MemoryLimits& limits, KernelBuffers& buffers,
                                       const StopFlag& stop_flag);

}  // namespace alnus::cpu
