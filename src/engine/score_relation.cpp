// The relations "score" and "score_distance": the sparse values of a StripeMaker.
#include <utility>

#include "core/pair_value.h"
#include "engine/relation_finder.h"
#include "engine/stripe_maker.h"

namespace alnus::engine {
namespace {

class ScoreFinder : public RelationFinder {
 public:
  ScoreFinder(const RelationInputs& inputs, std::size_t relation)
      : relation_(relation),
        options_(options_of(inputs, relation)),
        maker_(inputs.pairs, inputs.options.relations[relation].scoring, options_, inputs.state,
               inputs.call) {}

  std::uint64_t find(IndexRange rows, std::vector<SparseValue>& found) override {
    std::vector<SparseValue> sparse = maker_.make(rows).sparse;
    for (SparseValue& value : sparse) value.relation = static_cast<std::uint8_t>(relation_);
    found.insert(found.end(), sparse.begin(), sparse.end());
    return sparse.size();
  }

  double cells_at_a_time() const override { return kScoredAtATime; }

 private:
  static AllPairsOptions options_of(const RelationInputs& inputs, std::size_t number) {
    const auto& [kind, threshold] = inputs.options.relations[number].relation;
    AllPairsOptions options = inputs.without_relations(Detail::score);
    const PairValue value = kind == RelationKind::score ? PairValue::score : PairValue::score_distance;
    options.cutoff = {{.kind = value}, threshold};
    return options;
  }

  const std::size_t relation_;
  const AllPairsOptions options_;
  StripeMaker maker_;
};

}  // namespace

std::unique_ptr<RelationFinder> score_finder(const RelationInputs& inputs, std::size_t relation) {
  return std::make_unique<ScoreFinder>(inputs, relation);
}

}  // namespace alnus::engine
