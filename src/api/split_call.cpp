// Session::split.
#include "api/split_call.h"

#include <algorithm>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/similar_pairs.h"
#include "api/stored_edges.h"
#include "jobs/split_files.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;

// Counts what is in each subset.
void count_subsets(const SequenceSet& set, const FoldedRecords& folded, Split& split) {
  for (Index i = 0; i < set.size(); ++i) {
    const std::uint32_t subset = split.subset_of[i];
    if (subset == Split::kRemoved) {
      ++split.removed;
      continue;
    }
    ++split.subsets[subset].records;
    split.subsets[subset].residues += set.length(i);
  }
  split.labels = folded.labels;
  for (Split::Label& label : split.labels) label.records.resize(split.subsets.size());
  for (const std::vector<std::uint32_t>& column : folded.label_of)
    for (Index i = 0; i < set.size(); ++i)
      if (column[i] != FoldedRecords::kNoLabel && split.subset_of[i] != Split::kRemoved)
        ++split.labels[column[i]].records[split.subset_of[i]];
}

Split split(const Database& database, const Scoring& scoring, const SplitOptions& options,
            const SplitFiles& files, session::Call& call) {
  const Database set = session::in_file_order(database, call.stop());
  const SequenceSet& sequences = set.sequences();
  refuse_masked(set);
  const ResolvedSplit resolved = resolve(options, sequences);
  const FoldedRecords folded = fold(options, resolved, sequences, call.stop());
  SimilarPairs pairs_of_set(set, scoring, options.similarity, options.edge_files, call);
  jobs::SplitWriters writers(files, set, resolved.names, files_of(options.edge_files),
                             call.session().threads());

  graph::Components joined(static_cast<graph::Vertex>(folded.vertices.size()));
  SimilarityGraph graph(static_cast<graph::Vertex>(folded.vertices.size()),
                        call.session().options().memory_bytes,
                        fmt::format(", or leave out {}", option("allow_removal")));
  SimilarRecords similar{std::vector<std::uint32_t>(sequences.size()), {}};
  const AllPairsSummary pairs = pairs_of_set.for_each([&](const SparseValues& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const graph::Edge edge{folded.vertex_of[batch.column[i]], folded.vertex_of[batch.row[i]]};
      ++similar.others[batch.column[i]];
      ++similar.others[batch.row[i]];
      joined.join(edge.a, edge.b);
      if (options.allow_removal) graph.add(edge, batch, i);
      writers.add_pair(batch.column[i], batch.row[i]);
    }
  });
  similar.components = joined.map();

  const graph::Graph edges = graph.graph();
  graph::SplitProblem problem{folded.vertices,
                              similar.components,
                              options.allow_removal ? &edges : nullptr,
                              resolved.targets,
                              static_cast<std::uint32_t>(folded.labels.size()),
                              options.seed};
  const graph::Split found = graph::split(problem, call.stop());
  if (!found.within_bounds) refuse_split(found, resolved, folded, similar, sequences, options);

  Split split;
  split.relations = pairs_of_set.relations();
  for (std::size_t s = 0; s < resolved.names.size(); ++s) {
    const auto [lowest, highest] = resolved.targets[s].bounds;
    split.subsets.push_back({resolved.names[s], 0, 0, {lowest, highest}, 0});
  }
  for (Index i = 0; i < sequences.size(); ++i)
    split.subset_of.push_back(found.subset_of[folded.vertex_of[i]]);
  count_subsets(sequences, folded, split);
  // Without removal all records that are similar to a record are in its subset.
  if (!options.allow_removal)
    for (Index i = 0; i < sequences.size(); ++i)
      split.subsets[split.subset_of[i]].similar += similar.others[i];
  for (Split::Subset& subset : split.subsets) subset.similar /= 2;
  for (const auto& [a, b] : graph.edges())
    if (found.subset_of[a] != graph::kAnySubset && found.subset_of[b] != graph::kAnySubset)
      ++split.subsets[found.subset_of[a]].similar;
  std::vector<std::uint64_t> sizes(similar.components.sizes.size());
  for (const graph::Vertex vertex : folded.vertex_of) ++sizes[similar.components.of[vertex]];
  split.components = sizes.size();
  split.largest = sizes.empty() ? 0 : *std::ranges::max_element(sizes);
  split.equal = folded.equal;
  for (const graph::Vertex v : found.removed) split.removal_cost += folded.vertices[v].cost;
  split.lower_bound = found.lower_bound;
  split.pairs = pairs.pairs;
  split.cells = pairs.cells;
  split.similar = pairs.edges;
  split.statistics = pairs.statistics;
  writers.write(split, scoring, pairs_of_set.source(), call.stop());
  call.tell_end();
  writers.commit();
  return split;
}

}  // namespace
}  // namespace api

Split Session::split(const Database& set, const Scoring& scoring, const SplitOptions& options,
                     const SplitFiles& files, const RunControl& run) {
  session::Call call(state_->core, run);
  Split split;
  call.run(session::Call::Length::full, [&] { split = api::split(set, scoring, options, files, call); });
  split.seconds = call.seconds();
  return split;
}

}  // namespace alnus
