#include "engine/search_counts.h"

namespace alnus::engine {

void add_id(std::string_view id, std::vector<std::string>& ids) {
  if (ids.size() < kNamedQueries) ids.emplace_back(id);
}

HitLimit limit_of(std::uint32_t max_target_seqs, SequenceSet::Index subjects) {
  return {.max_target_seqs = max_target_seqs < subjects ? max_target_seqs : 0};
}

void count_hits(const SearchBatch& batch, const SequenceSet& queries, SequenceSet::Index first,
                SearchSummary& summary) {
  for (SequenceSet::Index q = 0; q < batch.queries.size(); ++q) {
    const std::span<const SequenceSet::Index> subjects =
        batch.rows.subject.subspan(batch.first_row[q], batch.first_row[q + 1] - batch.first_row[q]);
    std::uint64_t hits = 0;  // the rows of a hit follow each other
    for (std::size_t k = 0; k < subjects.size(); ++k) hits += k == 0 || subjects[k] != subjects[k - 1];
    summary.hits += hits;
    const std::string_view id = queries[batch.queries.begin + q - first].id();
    if (hits == 0) {
      ++summary.without_hits;
      add_id(id, summary.without_hits_ids);
    } else if (hits == summary.limit.max_target_seqs) {
      ++summary.limit.full_queries;
      add_id(id, summary.limit.full_query_ids);
    }
  }
}

void count_cut_tie(std::string_view id, SearchSummary& summary) {
  ++summary.cut_ties;
  add_id(id, summary.cut_tie_ids);
}

}  // namespace alnus::engine
