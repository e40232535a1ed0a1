// What the summary of a search counts of its hits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "alnus/search.h"

namespace alnus::engine {

// Adds an id to a list of SearchSummary, unless the list has kNamedQueries ids already.
void add_id(std::string_view id, std::vector<std::string>& ids);

// Returns the limit of a search of `subjects` subjects; it limits nothing if max_target_seqs is not below
// their number. No query is counted as full yet.
HitLimit limit_of(std::uint32_t max_target_seqs, SequenceSet::Index subjects);

// Adds to the summary the hits of a batch, its queries without hits, and its queries that have as many hits
// as the summary's limit allows. `queries` has the queries of the batch, and its first one has the number
// `first` among all queries of the search.
void count_hits(const SearchBatch& batch, const SequenceSet& queries, SequenceSet::Index first,
                SearchSummary& summary);

// Adds to the summary the query with this id, whose list of hits was cut between equal hits.
void count_cut_tie(std::string_view id, SearchSummary& summary);

}  // namespace alnus::engine
