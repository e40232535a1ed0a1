#include "api/relations.h"

#include <fmt/format.h>

#include "alnus/error.h"
#include "api/statistics.h"
#include "core/refuse_input.h"

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

std::optional<MatrixValue> value_of(std::span<const Relation> relations) {
  if (relations.size() != 1) return std::nullopt;
  switch (relations.front().kind) {
    case RelationKind::whole:
      return MatrixValue{PairValue::identity, Denominator::with_end_gaps};
    case RelationKind::part:
      return MatrixValue{PairValue::identity, Denominator::shorter};
    case RelationKind::score:
      return MatrixValue{PairValue::score};
    case RelationKind::score_distance:
      return MatrixValue{PairValue::score_distance};
    case RelationKind::related:
      break;
  }
  return std::nullopt;
}

void resolve_relations(const Scoring& scoring, const engine::AllPairs& pairs,
                       engine::AllPairsOptions& options, session::Call& call) {
  const AlphabetKind alphabet = pairs.rows().alphabet();
  SearchSpace space = stats::search_space_of(pairs.rows());
  if (!pairs.one_set()) {
    const SearchSpace others = stats::search_space_of(pairs.columns());
    space.residues += others.residues;
    space.sequences += others.sequences;
  }
  for (engine::ResolvedRelation& one : options.relations) {
    if (is_of_call(one.relation.kind)) {
      one.scoring = scoring;
      continue;
    }
    const bool whole = one.relation.kind == RelationKind::whole;
    one.scoring = make_scoring({.preset = whole ? "emboss-needle" : "", .alphabet = alphabet});
    if (whole) continue;
    one.statistics =
        resolve_statistics({}, one.scoring, space, {.strands = options.fields.strands, .needed = true}, call);
    options.statistics = one.statistics;
  }
}

}  // namespace alnus::api
