// Functions that the calls for parts of a search and of all pairs share, and that merge uses.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "alnus/parts.h"
#include "io/packed.h"
#include "io/part_file.h"
#include "jobs/job.h"
#include "jobs/part_sequences.h"

namespace alnus::jobs {

// Throws Error(input) if the numbers of the part are not from 1 to PartOfJob::count.
void check(const PartOfJob& part);

// Throws Error(input) if the part file would replace an input, if `path` is empty, is "-" or ends like a file
// with other contents, or if an id has blanks or tabs, which a part cannot hold.
void check_part_name(const std::string& path, const Database& first, const Database& second,
                     std::span<const std::string> other_inputs);

// The indices of this part's share of `count` sequences. Each sequence is in the share of exactly one part.
std::vector<SequenceSet::Index> share_of(SequenceSet::Index count, const PartOfJob& part);
std::vector<SequenceSet::Index> numbers_of(IndexRange range);

// Returns what all parts of a job together store of every sequence of a side. Names of rows are always
// stored; names of columns are stored in jobs of all pairs, and in searches for SAM, whose head has them.
// Letters are stored if outputs show them; in searches, those of subjects are stored for hits only, and so
// are their names if the format is not SAM.
Told told_of(const Job& job, Side side);

// Returns the contents of a part's last chunk.
io::Packer packed(const SearchSummary& summary);
std::string to_json(const AllPairsSummary& summary);
// Both return the summary of a part from the contents of its last chunk. They throw std::exception if the
// chunk has other contents, or values that no summary has.
SearchSummary search_summary_of(const io::ChunkBytes& chunk);
AllPairsSummary pair_summary_of(const io::ChunkBytes& chunk);

// Adds the counts of `part` to `all`.
void add(const ScoreHistogram& part, ScoreHistogram& all);

}  // namespace alnus::jobs
