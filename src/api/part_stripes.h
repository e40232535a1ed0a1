// Stripes of all pairs as bytes in parts, and back.
#pragma once

#include <cstdint>
#include <vector>

#include "api/pair_files.h"
#include "engine/all_pairs.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::api {

// A stripe without its sparse values; of the others what their files hold.
io::Packer packed(const PairJob& job, const engine::Stripe& stripe);
// With the values of values_of(). Throws Error(input) where the chunk does not fit the job.
engine::Stripe stripe_of(const PairJob& job, const io::ChunkBytes& chunk);

io::Packer packed(const SparseValues& edges);
SparseValues edges_of(const PairJob& job, const io::ChunkBytes& chunk);

}  // namespace alnus::api
