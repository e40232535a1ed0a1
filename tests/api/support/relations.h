// Relations of pairs by other calls of a session: what Session::all_pairs must find with
// AllPairsOptions::relations.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "api/support/inputs.h"

namespace alnus::test {

using Place = std::pair<Index, Index>;  // row and column of the pair matrix

struct RelatedPair {
  double value = 0;
  int relation = 0;  // its number in the list
  bool operator==(const RelatedPair&) const = default;
};
using RelatedPairs = std::map<Place, RelatedPair>;

struct RelatedInputs {
  SequenceSet set;
  std::optional<SequenceSet> against{};
  Strands strands = Strands::plus;
  Scoring scoring = default_scoring();  // of score and score_distance

  Index rows() const { return set.size(); }
  // How many pairs there are.
  std::uint64_t pairs() const;
};

// Descendants of two ancestors that have diverged by 1 to 70 percent, fragments of them, random sequences,
// and odd ones: of few letters, of one or two letters, of X (proteins) or N (DNA) alone, and an empty one.
// Half of the DNA is reverse complemented.
SequenceSet assorted(unsigned seed, AlphabetKind kind);

// Every pair's numbers, by the calls that alnus/relation.h speaks of.
class RelationOracle {
 public:
  explicit RelationOracle(const RelatedInputs& inputs);
  RelatedPairs of(const std::vector<Relation>& relations) const;

 private:
  struct Best {
    std::int32_t score = 0;
    Fraction identity;
  };
  std::map<Place, Fraction> highest_identities(const Scoring& scoring, Denominator denominator);
  std::map<Place, double> values(PairValue kind);
  // `turned`: the queries are the columns of the pair matrix.
  void lower_evalues(const SequenceSet& queries, const SequenceSet& subjects, bool turned);
  Place place_of(Index row, Index column) const;
  bool has(const Relation& relation, Place place, double& value) const;

  RelatedInputs inputs_;
  Session session_{session_options()};
  std::map<Place, Fraction> whole_, part_;
  std::map<Place, double> evalues_, scores_, distances_;
};

// Collects the batches of PairSink::sparse. Checks that they are ordered, that no pair comes twice, and that
// the arrays have the same sizes.
class RelatedRows {
 public:
  PairSink sink();
  RelatedPairs pairs;

 private:
  std::optional<Place> last_;
};

RelatedPairs related_pairs(Session& session, const RelatedInputs& inputs, const AllPairsOptions& options);

AllPairsOptions options_of(const RelatedInputs& inputs, const std::string& relations);

}  // namespace alnus::test
