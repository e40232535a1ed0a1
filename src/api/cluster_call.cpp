// Session::cluster.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

#include "alnus/error.h"
#include "alnus/session.h"
#include "api/similar_pairs.h"
#include "api/stored_edges.h"
#include "core/exact_matches.h"
#include "core/refuse_input.h"
#include "graph/components.h"
#include "graph/representatives.h"
#include "jobs/cluster_files.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus {
namespace api {
namespace {

using Index = SequenceSet::Index;
constexpr double kAll = 100;  // percent

// The sequences in the order of ClusterOptions::priority.
std::vector<Index> in_order(const SequenceSet& set, const std::vector<double>& priority) {
  if (!priority.empty() && priority.size() != set.size())
    refuse_input(fmt::format("There are {} priorities for {} sequences. Give each sequence one.",
                             priority.size(), set.size()));
  if (!std::ranges::all_of(priority, [](double one) { return std::isfinite(one); }))
    refuse_input("A priority is not a finite number.");
  std::vector<Index> order(set.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](Index a, Index b) {
    if (!priority.empty() && priority[a] != priority[b]) return priority[a] > priority[b];
    return set.length(a) > set.length(b);
  });
  return order;
}

std::vector<std::uint32_t> ranks_of(const std::vector<Index>& order) {
  std::vector<std::uint32_t> rank(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  return rank;
}

// For each sequence the first one in `order` that is equal to it, which may be itself.
std::vector<Index> first_of_equals(const SequenceSet& set, const std::vector<Index>& order,
                                   const StopFlag& stop) {
  const std::vector<Index> earliest = first_equals(set, stop);
  std::vector<Index> first(set.size()), result;
  std::for_each(order.rbegin(), order.rend(), [&](Index i) { first[earliest[i]] = i; });
  result.reserve(set.size());
  for (const Index one : earliest) result.push_back(first[one]);
  return result;
}

// Makes each component a cluster, whose representative is its first sequence in `order`.
void set_components(graph::Components& components, const std::vector<Index>& order, Clusters& clusters) {
  const graph::ComponentMap map = components.map();
  constexpr Index kNone = std::numeric_limits<Index>::max();
  std::vector<Index> first(map.sizes.size(), kNone);
  for (const Index i : order) {
    Index& representative = first[map.of[i]];
    if (representative == kNone) {
      representative = i;
      clusters.representatives.push_back(i);
    }
    clusters.representative[i] = representative;
  }
}

// Chooses representatives, and makes those that are similar to each of them its cluster. Sets the identities,
// too, if they are wanted.
void set_representatives(const SimilarityGraph& similar, RepresentativeChoice choice,
                         const std::vector<std::uint32_t>& rank, bool identities, Clusters& clusters) {
  const graph::Graph graph = similar.graph();
  graph::Representatives found = choice == RepresentativeChoice::greedy
                                     ? graph::greedy_representatives(graph, rank)
                                     : graph::set_cover_representatives(graph, rank);
  clusters.representative = std::move(found.of);
  clusters.representatives = std::move(found.chosen);
  if (!identities) return;
  const std::vector<Index>& of = clusters.representative;
  clusters.identity.assign(of.size(), kAll);
  for (std::size_t edge = 0; edge < similar.edges().size(); ++edge) {
    const auto [a, b] = similar.edges()[edge];
    if (of[a] == b) clusters.identity[a] = similar.identities()[edge];
    if (of[b] == a) clusters.identity[b] = similar.identities()[edge];
  }
}

Clusters cluster(const Database& database, const Scoring& scoring, const ClusterOptions& options,
                 const ClusterFiles& files, session::Call& call) {
  const Database set = session::in_file_order(database, call.stop());
  refuse_masked(set);
  const SequenceSet& sequences = set.sequences();
  const std::vector<Index> order = in_order(sequences, options.priority);
  SimilarPairs pairs_of_set(set, scoring, options.similarity, options.edge_files, call);
  jobs::ClusterWriters writers(files, set, options, files_of(options.edge_files), call.session().threads());
  const bool components = options.promise == ClusterPromise::components;
  const bool identities = options.identities || !files.clstr.empty();
  if (components && options.identities)
    refuse_input(
        fmt::format("Members of a component may be similar to others than its representative, so that "
                    "their identities are not known. Choose {} representatives.",
                    option("promise")));
  graph::Components joined(sequences.size());
  SimilarityGraph similar(sequences.size(), call.session().options().memory_bytes,
                          fmt::format(", or cluster with {} components", option("promise")));
  if (identities) similar.keep_identities(pairs_of_set.relations());
  const AllPairsSummary pairs = pairs_of_set.for_each([&](const SparseValues& batch) {
    for (std::size_t i = 0; i < batch.size(); ++i)
      if (components)
        joined.join(batch.column[i], batch.row[i]);
      else
        similar.add({batch.column[i], batch.row[i]}, batch, i);
  });
  Clusters clusters;
  clusters.relations = pairs_of_set.relations();
  clusters.representative.resize(sequences.size());
  // Equal sequences are similar to the same others. Each is joined to the first of them in the order, which
  // comes before it in both ways of choosing representatives.
  const std::vector<Index> first = first_of_equals(sequences, order, call.stop());
  std::vector<bool> seen(sequences.size());  // by the first sequence: one of its equals came already
  for (Index i = 0; i < sequences.size(); ++i) {
    if (seen[first[i]]) ++clusters.equal;
    seen[first[i]] = true;
    if (first[i] == i) continue;
    if (components)
      joined.join(first[i], i);
    else
      similar.add_equal({first[i], i});
  }
  if (components)
    set_components(joined, order, clusters);
  else
    set_representatives(similar, options.choice, ranks_of(order), identities, clusters);
  clusters.pairs = pairs.pairs;
  clusters.cells = pairs.cells;
  clusters.similar = pairs.edges;
  clusters.statistics = pairs.statistics;
  writers.write(clusters);
  call.tell_end();
  writers.commit();
  return clusters;
}

}  // namespace
}  // namespace api

Clusters Session::cluster(const Database& set, const Scoring& scoring, const ClusterOptions& options,
                          const ClusterFiles& files, const RunControl& run) {
  session::Call call(state_->core, run);
  Clusters clusters;
  call.run(session::Call::Length::full, [&] { clusters = api::cluster(set, scoring, options, files, call); });
  clusters.seconds = call.seconds();
  return clusters;
}

}  // namespace alnus
