// The pairs that have a relation, for calls that cluster, split and compare sets of sequences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/similarity.h"
#include "alnus/statistics.h"
#include "engine/first_hits.h"
#include "graph/graph.h"
#include "session/call.h"

namespace alnus::api {

// Computes all pairs of `set`, or of `set` with `against`, and hands those that are similar to `take`, in
// batches on the thread of the call's work. Rows and columns count sequences in the order of their files. In
// pairs of one set the column is before the row. `space`: the search space of E-values; empty: all sequences
// of both sets. `scoring` is for relations that follow the scoring of the call. `first_hits`: gets the first
// hit of each sequence of one of two sets, too (engine::AllPairsOptions::first_hits). Called by the work of
// the call. Throws what Session::all_pairs() throws.
AllPairsSummary for_each_similar(const Database& set, const std::optional<Database>& against,
                                 const Scoring& scoring, const Similarity& similarity,
                                 const std::optional<SearchSpace>& space, session::Call& call,
                                 const std::function<void(const SparseValues&)>& take,
                                 engine::FirstHits* first_hits = nullptr);

// The relations of a similarity, of which there is one at least. Throws Error(input) if there is none.
const std::vector<Relation>& required_relations(const Similarity& similarity);

// Throws Error(input) if residues of the set are masked: sequences whose residues are X would be equal.
void refuse_masked(const Database& set);

// The edges of a graph of similar sequences, as far as they fit into the memory of the session.
class SimilarityGraph {
 public:
  // `vertices`: how many there are. `advice`: a clause with which the message ends that there are too many
  // edges, such as ", or leave out ...".
  SimilarityGraph(graph::Vertex vertices, std::uint64_t memory_bytes, std::string advice);
  // Keeps the identity of each edge, too, with three decimals as in tables of edges. `relations`: those of
  // the call; edges without any have no identity.
  void keep_identities(const std::vector<Relation>& relations) {
    keeps_identities_ = true;
    relations_ = relations;
  }

  // Adds the edge of pair `i` of a batch. Throws Error(memory) if there are more edges than half of the
  // session's memory holds.
  void add(graph::Edge edge, const SparseValues& batch, std::size_t i);
  void add_equal(graph::Edge edge);  // of equal sequences, whose identity is 100%
  const std::vector<graph::Edge>& edges() const { return edges_; }
  // In percent, for each edge; NaN if its relation is not one of identities, or has no value. Empty if they
  // are not kept.
  const std::vector<float>& identities() const { return identities_; }
  graph::Graph graph() const { return {vertices_, edges_}; }

 private:
  void check_memory() const;

  const graph::Vertex vertices_;
  const std::uint64_t memory_bytes_;
  const std::string advice_;
  bool keeps_identities_ = false;
  std::vector<Relation> relations_;
  std::vector<graph::Edge> edges_;
  std::vector<float> identities_;
};

}  // namespace alnus::api
