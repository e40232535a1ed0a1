#include "engine/search_counts.h"

namespace alnus::engine {

void add_id(std::string_view id, std::vector<std::string>& ids) {
  if (ids.size() < kNamedQueries) ids.emplace_back(id);
}

void count_hits(const SearchBatch& batch, const SequenceSet& queries, SequenceSet::Index first,
                SearchSummary& summary) {
  summary.hits += batch.rows.size();
  for (SequenceSet::Index q = 0; q < batch.queries.size(); ++q) {
    if (batch.first_row[q] < batch.first_row[q + 1]) continue;
    ++summary.without_hits;
    add_id(queries[batch.queries.begin + q - first].id(), summary.without_hits_ids);
  }
}

void count_cut_tie(std::string_view id, SearchSummary& summary) {
  ++summary.cut_ties;
  add_id(id, summary.cut_tie_ids);
}

}  // namespace alnus::engine
