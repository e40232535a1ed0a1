#include "api/similar_pairs.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "alnus/error.h"
#include "alnus/text.h"
#include "api/pair_run.h"
#include "core/refuse_input.h"
#include "engine/sparse_values.h"
#include "io/row_text.h"
#include "session/database_state.h"

namespace alnus::api {
namespace {

// True if the value of pairs with such a relation is an identity in percent.
bool has_identities(RelationKind kind) { return kind == RelationKind::whole || kind == RelationKind::part; }

// An identity with the decimals that it has in a table of edges, so that clusters of a table have the same
// identities.
float as_in_tables(double identity) {
  constexpr int kDecimals = 3;
  io::Text text;
  io::append_fixed<kDecimals>(text, identity);
  float rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

}  // namespace

AllPairsSummary for_each_similar(const Database& set, const std::optional<Database>& against,
                                 const Scoring& scoring, const Similarity& similarity,
                                 const std::optional<SearchSpace>& space, session::Call& call,
                                 const std::function<void(const SparseValues&)>& take,
                                 engine::FirstHits* first_hits) {
  AllPairsOptions options;
  options.relations = required_relations(similarity);
  options.strands = similarity.strands.value_or(default_search_strands(set.alphabet()));
  if (space) {
    options.statistics.residues = space->residues;
    options.statistics.sequences = space->sequences;
  }
  PairWishes wishes;
  wishes.needs.sparse = true;
  wishes.first_hits = first_hits;
  AllPairsSummary summary;
  compute_whole({set, against, {}}, scoring, options, wishes, summary, call,
                [&](PairRun& run, const engine::Stripe& stripe) {
                  engine::emit_sparse(stripe.sparse, run.options().memory_bytes, call.stop(), take);
                });
  return summary;
}

const std::vector<Relation>& required_relations(const Similarity& similarity) {
  if (similarity.relations.empty())
    refuse_input("No relation says which sequences are similar. Name one, such as whole:30.");
  return similarity.relations;
}

void refuse_masked(const Database& set) {
  if (!set.state()->masking.any()) return;
  refuse_input(fmt::format(
      "Residues of {} are masked ({}), so that different sequences may be equal. Relations need no "
      "masks: give the sequences as they are.",
      set.name(), set.state()->masking.name()));
}

SimilarityGraph::SimilarityGraph(graph::Vertex vertices, std::uint64_t memory_bytes, std::string advice)
    : vertices_(vertices), memory_bytes_(memory_bytes), advice_(std::move(advice)) {}

void SimilarityGraph::add(graph::Edge edge, const SparseValues& batch, std::size_t i) {
  check_memory();
  edges_.push_back(edge);
  if (!keeps_identities_) return;
  const bool known = !relations_.empty() && has_identities(relations_[batch.relation[i]].kind) &&
                     !std::isnan(batch.value[i]);
  identities_.push_back(known ? as_in_tables(batch.value[i]) : std::numeric_limits<float>::quiet_NaN());
}

void SimilarityGraph::add_equal(graph::Edge edge) {
  constexpr float kAll = 100;  // percent
  check_memory();
  edges_.push_back(edge);
  if (keeps_identities_) identities_.push_back(kAll);
}

void SimilarityGraph::check_memory() const {
  // An edge is in the list, which may be half empty, and in the lists of both its vertices in the graph.
  const std::uint64_t edge_bytes = 3 * sizeof(graph::Edge) + (keeps_identities_ ? 2 * sizeof(float) : 0);
  if ((edges_.size() + 1) * edge_bytes <= memory_bytes_ / 2) return;
  throw Error(
      ErrorKind::memory,
      fmt::format("More than {} pairs are similar: half of the memory of {} does not hold them. Allow "
                  "more memory, choose a stricter relation{}.",
                  format_count(edges_.size()), option("memory"), advice_));
}

}  // namespace alnus::api
