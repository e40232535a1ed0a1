// The similar pairs of a set, for calls that cluster and split it: computed in one go, computed into a
// directory from which an interrupted call goes on, or read from a table of edges.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/database.h"
#include "alnus/similarity.h"
#include "io/edge_companion.h"
#include "jobs/split_certificate.h"
#include "session/call.h"

namespace alnus::api {

class SimilarPairs {
 public:
  // `set` is in file order. Everything must outlive this object. Called by the work of the call. With
  // EdgeFiles::edges, reads what the table says of itself. Throws Error(input) as EdgeFiles says, for a
  // similarity without relations where the pairs are computed, and for ids that a table cannot tell apart.
  SimilarPairs(const Database& set, const Scoring& scoring, const Similarity& similarity,
               const EdgeFiles& files, session::Call& call);

  // By which the pairs are similar; empty if they are given without any.
  const std::vector<Relation>& relations() const { return relations_; }
  // The same for the certificate of a split.
  const jobs::EdgeSource& source() const { return source_; }

  // Hands all pairs to `take` in batches, as for_each_similar() does. The summary has what this call
  // compared.
  AllPairsSummary for_each(const std::function<void(const SparseValues&)>& take);

 private:
  std::string table() const;
  void take_as_given();
  void take_companion(io::EdgeCompanion companion);
  void require_true_parameters(const io::EdgeCompanion& companion) const;
  void require_same_relations(const io::EdgeCompanion& companion) const;
  AllPairsSummary compute_table();
  std::uint64_t read_table(const std::function<void(const SparseValues&)>& take);
  std::uint64_t read_given(const std::function<void(const SparseValues&)>& take);

  const Database& set_;
  const Scoring& scoring_;
  const Similarity& similarity_;
  const EdgeFiles& files_;
  session::Call& call_;
  const Strands strands_;
  std::vector<Relation> relations_;
  jobs::EdgeSource source_;
};

}  // namespace alnus::api
