// What the summary of a search counts of its hits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnus/search.h"

namespace alnus::engine {

// Adds an id to a list of SearchSummary, unless the list is full.
void add_id(std::string_view id, std::vector<std::string>& ids);

// The limit of a search of so many subjects, without full queries.
HitLimit limit_of(std::uint32_t max_target_seqs, SequenceSet::Index subjects);

// Adds the hits of a batch, the queries without any, and those with as many as the summary's limit allows.
// `queries` has the queries of the batch, and its first one has the number `first` among all queries of the
// search.
void count_hits(const SearchBatch& batch, const SequenceSet& queries, SequenceSet::Index first,
                SearchSummary& summary);

// Adds a query, of this id, whose list of hits was cut between equal ones.
void count_cut_tie(std::string_view id, SearchSummary& summary);

}  // namespace alnus::engine
