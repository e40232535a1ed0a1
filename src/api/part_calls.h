// Functions that the calls for parts of a search and of all pairs share, and that merge uses.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/parts.h"
#include "api/job.h"
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

// The text of a part's last chunk.
std::string to_json(const SearchSummary& summary);
std::string to_json(const AllPairsSummary& summary);
// Adds the summary of one part, which to_json() wrote, to `summary`. Throws std::exception for other texts.
void add_from_json(std::string_view text, SearchSummary& summary);
void add_from_json(std::string_view text, AllPairsSummary& summary);

// Adds the counts of `part` to `all`.
void add(const ScoreHistogram& part, ScoreHistogram& all);

}  // namespace alnus::api
