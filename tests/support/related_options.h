// Options of the engine's driver of all pairs with relations.
#pragma once

#include <string_view>

#include "engine/all_pairs_driver.h"
#include "support/engine_call.h"
#include "support/scorings.h"

namespace alnus::test {

// Options for these relations (parse_relations()). E-values are those of adjusted scores, by published
// parameters, in the search space of `set`. `scoring`: that of the call.
inline engine::AllPairsOptions related_options(const SequenceSet& set, std::string_view list,
                                               const Scoring& scoring) {
  engine::AllPairsOptions options;
  options.listed = false;
  options.fields.detail = Detail::score;
  const bool is_dna = set.alphabet() == AlphabetKind::dna;
  if (is_dna) options.fields.strands = Strands::both;
  for (const Relation& relation : parse_relations(list)) {
    engine::ResolvedRelation one{.relation = relation, .scoring = scoring};
    if (relation.kind == RelationKind::whole)
      one.scoring = make_scoring({.preset = "emboss-needle", .alphabet = set.alphabet()});
    if (relation.kind == RelationKind::part || relation.kind == RelationKind::related) {
      one.scoring = is_dna ? dna("2", "-3", "5", "2") : protein("BLOSUM62", "11", "1");
      one.statistics = published_statistics(one.scoring, set);
      one.statistics.composition = Composition::adjust;
      one.statistics.low_complexity = LowComplexity::statistics;
      options.statistics = one.statistics;
    }
    options.relations.push_back(one);
  }
  return options;
}

}  // namespace alnus::test
