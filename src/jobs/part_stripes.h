// Packs stripes of all pairs into the bytes of part files, and unpacks them.
#pragma once

#include <cstddef>

#include "engine/all_pairs_driver.h"
#include "io/packed.h"
#include "io/part_file.h"
#include "jobs/pair_outputs.h"

namespace alnus::jobs {

// Packs a stripe except its sparse values. Values have the precision that the job's output files need.
io::Packer packed(const PairJob& job, const engine::Stripe& stripe);
// The bytes of a pair's value of this kind in a part.
std::size_t bytes_of(const PairJob& job, PairValue value);
// Unpacks a stripe, with the values of needs_of(). Throws Error(input) if the chunk does not fit the job.
// The listed pairs are not checked.
engine::Stripe stripe_of(const PairJob& job, const io::ChunkBytes& chunk);

io::Packer packed(const PairJob& job, const SparseValues& edges);
// Unpacks edges. Throws Error(input) if the arrays do not fit each other, or for a row or a column that the
// job does not have.
SparseValues edges_of(const PairJob& job, const io::ChunkBytes& chunk);

}  // namespace alnus::jobs
