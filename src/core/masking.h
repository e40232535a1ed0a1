// Masks the residues of sequences (alnus/masking.h).
#pragma once

#include <cstdint>
#include <span>

#include "alnus/masking.h"
#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"

namespace alnus {

// Masks residues in place, on the threads of `pool`. `offsets` divides the residues into sequences, as in a
// SequenceSet. Throws Interrupted when `stop` is requested; then some sequences are masked and others are
// not.
MaskCounts mask(std::span<Residue> residues, std::span<const std::uint64_t> offsets, AlphabetKind alphabet,
                Masking masking, ThreadPool& pool, const StopFlag& stop = StopFlag::never());

// A copy of the sequences with masked residues of its own; everything else is shared with `sequences`. Adds
// the numbers of masked residues and sequences to `counts`. Throws Interrupted when `stop` is requested.
SequenceSet masked_copy(const SequenceSet& sequences, Masking masking, MaskCounts& counts, ThreadPool& pool,
                        const StopFlag& stop = StopFlag::never());

}  // namespace alnus
