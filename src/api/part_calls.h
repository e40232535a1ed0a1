// What the calls that compute parts share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/parts.h"
#include "api/job.h"
#include "io/part_file.h"

namespace alnus::api {

// Throws Error(input) for a part that is not one of its count.
void check(const PartOfJob& part);

// Throws Error(input) for a part that would replace an input, or that is no file.
void check_part_name(const std::string& path, const Database& first, const Database& second,
                     std::span<const std::string> other_inputs);

io::PartFileWriter::Place place_of(const PartTarget& target);

// The part's share of so many sequences: those of all parts together are all of them.
std::vector<SequenceSet::Index> share_of(SequenceSet::Index count, const PartOfJob& part);
std::vector<SequenceSet::Index> numbers_of(IndexRange range);

// The last chunk of a part.
std::string to_json(const SearchSummary& summary);
std::string to_json(const AllPairsSummary& summary);
// Both add what the text says of one part. Throw std::exception for other texts.
void add_from_json(std::string_view text, SearchSummary& summary);
void add_from_json(std::string_view text, AllPairsSummary& summary);

void add(const ScoreHistogram& part, ScoreHistogram& all);

}  // namespace alnus::api
