// Results as bytes in parts, and back.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "alnus/plan.h"
#include "alnus/results.h"
#include "engine/search.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::api {

void pack(const Columns& rows, io::Packer& to);
// The columns lie in the memory of `owner`. Throws Error(input) where they do not fit together.
Columns unpack_columns(io::Unpacker& from, const std::shared_ptr<const void>& owner);

// The rows of these numbers, in this order.
Columns selected(const Columns& rows, std::span<const std::size_t> numbers);

// Hits of a search of some subjects, with what the batch's numbers count from.
struct PartHits {
  SearchBatch batch;  // queries and subjects count in the whole inputs
  Block block;        // whose hits these are, or some of them
  // A block of one query and some of the subjects has candidates of each strand, which decide what are hits
  // of the whole.
  struct Candidates {
    Strand strand = Strand::plus;
    std::vector<engine::CandidateKey> keys;
  };
  std::vector<Candidates> candidates{};
};
// `offsets`: what the batch's queries and subjects count from.
io::Packer packed(const PartHits& hits, const Block& offsets);
PartHits hits_of(const io::ChunkBytes& chunk);

}  // namespace alnus::api
