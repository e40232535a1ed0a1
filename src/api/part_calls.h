// Functions that the calls for parts of a search and of all pairs share, and that merge uses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/parts.h"
#include "api/job.h"
#include "api/part_sequences.h"
#include "io/packed.h"
#include "io/part_file.h"

namespace alnus::api {

// Throws Error(input) unless the part's numbers are within 1 to PartOfJob::count.
void check(const PartOfJob& part);

// Throws Error(input) if the part file would replace an input, or if `path` is empty or "-".
void check_part_name(const std::string& path, const Database& first, const Database& second,
                     std::span<const std::string> other_inputs);

io::PartFileWriter::Place place_of(const PartTarget& target);

// The indices of this part's share of `count` sequences. Each sequence is in the share of exactly one part.
std::vector<SequenceSet::Index> share_of(SequenceSet::Index count, const PartOfJob& part);
std::vector<SequenceSet::Index> numbers_of(IndexRange range);

// What all parts of a job together store of all sequences of a side: names of rows, and of columns if all
// pairs or the head of SAM need them; letters if outputs need them. Of subjects that are hits, parts also
// store what they store of queries.
Told told_of(const Job& job, Side side);

// The contents of a part's last chunk.
io::Packer packed(const SearchSummary& summary);
std::string to_json(const AllPairsSummary& summary);
// The summary of one part, from the contents of its last chunk. Both throw std::exception for other contents
// and for values that no summary has.
SearchSummary search_summary_of(const io::ChunkBytes& chunk);
AllPairsSummary pair_summary_of(const io::ChunkBytes& chunk);

// Adds the counts of `part` to `all`.
void add(const ScoreHistogram& part, ScoreHistogram& all);

}  // namespace alnus::api
