// Packs stripes of all pairs into the bytes of part files, and unpacks them.
#pragma once

#include <cstdint>
#include <vector>

#include "api/pair_files.h"
#include "engine/all_pairs.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::api {

// Packs a stripe except its sparse values. Values have the precision that the job's output files need.
io::Packer packed(const PairJob& job, const engine::Stripe& stripe);
// Unpacks a stripe, with the values of values_of(). Throws Error(input) if the chunk does not fit the job.
engine::Stripe stripe_of(const PairJob& job, const io::ChunkBytes& chunk);

io::Packer packed(const SparseValues& edges);
SparseValues edges_of(const PairJob& job, const io::ChunkBytes& chunk);

}  // namespace alnus::api
