// Stripes of all pairs as bytes in parts, and back.
#pragma once

#include <cstdint>
#include <vector>

#include "api/pair_files.h"
#include "engine/all_pairs.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::api {

// A stripe without what no output shows: nothing of values that are of edges alone, and of others what their
// files hold.
io::Packer packed(const PairJob& job, const engine::Stripe& stripe);
// With the values of values_of(); those that are of edges alone have no numbers. Throws Error(input) where
// the chunk does not fit the job.
engine::Stripe stripe_of(const PairJob& job, const io::ChunkBytes& chunk);

io::Packer packed(const SparseValues& edges);
SparseValues edges_of(const PairJob& job, const io::ChunkBytes& chunk);

}  // namespace alnus::api
