// Masks the residues of sequences (alnus/masking.h).
#pragma once

#include <cstdint>
#include <span>

#include "alnus/masking.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus {

// Masks in place, on the threads of `pool`; `offsets` as those of a SequenceSet. Throws Interrupted when
// `stop` is requested, and then some sequences are masked and others are not.
MaskCounts mask(std::span<Residue> residues, std::span<const std::uint64_t> offsets, AlphabetKind alphabet,
                Masking masking, ThreadPool& pool, const StopFlag& stop = StopFlag::never());

// The sequences with residues of their own; everything else is shared. `counts` is added to. Throws
// Interrupted.
SequenceSet masked_copy(const SequenceSet& sequences, Masking masking, MaskCounts& counts, ThreadPool& pool,
                        const StopFlag& stop = StopFlag::never());

}  // namespace alnus
