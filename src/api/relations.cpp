#include "api/relations.h"

#include <fmt/format.h>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "api/statistics.h"
#include "core/refuse_input.h"
#include "jobs/relation_parameters.h"

namespace alnus::api {

void check_relations(const AllPairsOptions& options, const PairWishes& wishes) {
  if (options.relations.empty()) return;
  alnus::check_relations(options.relations);
  const auto refuse = [&](std::string_view other, std::string_view why) {
    refuse_input(fmt::format("{} {} and {} do not go together: {}.", option("relation"),
                             to_string(options.relations), other, why));
  };
  if (!options.filter.empty()) refuse("filters", "relations alone choose the pairs");
  if (options.value) refuse(option("matrix_value"), "the value of an edge is that of its relation");
  if (options.cutoff) refuse(option("cutoff"), "relations have thresholds of their own");
  if (options.top_k > 0) refuse(option("top_k"), "relations choose all pairs that have them");
  if (options.self) refuse(option("self"), "a sequence is similar to itself by each of them");
  if (!wishes.needs.sparse)
    refuse_input(fmt::format("{} {} chooses edges. Name a file for them: {} FILE.", option("relation"),
                             to_string(options.relations), option("edges")));
  if (wishes.files)
    jobs::for_each_wanted(*wishes.files, [&](const jobs::PairOutputKind& kind) {
      if (kind.path != &PairFiles::edges)
        refuse(option(kind.option), fmt::format("relations choose edges, which {} writes", option("edges")));
    });
  if (wishes.needs.rows || !wishes.needs.values.empty())
    refuse("rows and values of every pair", "relations choose edges");
}

void check_relations_extend(std::span<const Relation> relations) {
  for (const Relation& relation : relations)
    if (relation.kind == RelationKind::part || relation.kind == RelationKind::related)
      refuse_input(fmt::format(
          "{} cannot extend the edges of {} {}, whose E-values depend on all sequences. Compute them anew.",
          option("add"), option("relation"), to_string(relation)));
}

void resolve_relations(const Scoring& scoring, const engine::AllPairs& pairs, const StatisticsOptions& chosen,
                       engine::AllPairsOptions& options, session::Call& call) {
  const AlphabetKind alphabet = pairs.rows().alphabet();
  SearchSpace space = stats::search_space_of(pairs.rows());
  if (!pairs.one_set()) {
    const SearchSpace others = stats::search_space_of(pairs.columns());
    space.residues += others.residues;
    space.sequences += others.sequences;
  }
  for (engine::ResolvedRelation& one : options.relations) {
    one.scoring = jobs::scoring_of(one.relation.kind, scoring, alphabet);
    if (is_of_call(one.relation.kind) || one.relation.kind == RelationKind::whole) continue;
    one.statistics =
        resolve_statistics({.residues = chosen.residues, .sequences = chosen.sequences}, one.scoring, space,
                           {.strands = options.fields.strands, .needed = true}, call);
    options.statistics = one.statistics;
  }
}

}  // namespace alnus::api
