// Packs hits of a search into the bytes of part files, and unpacks them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "alnus/plan.h"
#include "alnus/results.h"
#include "engine/search_driver.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::jobs {

void pack(const Columns& rows, io::Packer& to);
// Reads the columns that pack() wrote, without copying them: `owner` keeps their memory alive. The columns
// are not checked; check_rows() does it (alnus/row_check.h).
Columns unpack_columns(io::Unpacker& from, const std::shared_ptr<const void>& owner);

// Some or all hits of one block of a search.
struct PartHits {
  SearchBatch batch;  // from hits_of(): queries and subjects are numbered as in the whole inputs
  Block block;        // the block, in numbers of the whole inputs
  // The candidates on one strand. Only a block of one query and some of the subjects has candidates; merge
  // chooses the query's hits by the candidates of all such blocks.
  struct Candidates {
    Strand strand = Strand::plus;
    std::vector<engine::CandidateKey> keys;
  };
  std::vector<Candidates> candidates{};
};
// Packs hits whose batch numbers queries and subjects from the beginning of `offsets`.
io::Packer packed(const PartHits& hits, const Block& offsets);
// Unpacks hits. Throws Error(input) if the arrays of the chunk contradict each other. The rows are not
// checked.
PartHits hits_of(const io::ChunkBytes& chunk);

}  // namespace alnus::jobs
