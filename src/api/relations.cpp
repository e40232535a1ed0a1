#include "api/relations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "api/statistics.h"
#include "core/refuse_input.h"
#include "io/sha2.h"

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

namespace {

// A digest of the scores of a matrix, in its own units.
std::string matrix_sha256(const SubstitutionMatrix& matrix) {
  const int letters = Alphabet::of(matrix.alphabet()).size();
  std::string values;
  for (int query = 0; query < letters; ++query)
    for (int subject = 0; subject < letters; ++subject)
      values += fmt::format("{} ", matrix.value(static_cast<Residue>(query), static_cast<Residue>(subject)) /
                                       static_cast<double>(matrix.scale()));
  return io::sha256(values);
}

// The ends that may stay unaligned at no cost, as words of --free-ends.
std::string free_ends_of(const Scoring& scoring) {
  std::vector<std::string_view> words;
  for (const Word<bool FreeEnds::*>& end : kWords<bool FreeEnds::*>)
    if (scoring.free_ends.*end.value) words.push_back(end.word);
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ","));
}

// The scoring by which pairs are aligned to find out if they have a relation.
Scoring scoring_of(RelationKind kind, const Scoring& of_call, AlphabetKind alphabet) {
  if (is_of_call(kind)) return of_call;
  return make_scoring({.preset = kind == RelationKind::whole ? "emboss-needle" : "", .alphabet = alphabet});
}

}  // namespace

std::map<std::string, std::string> parameters_of(const Relation& relation, const Scoring& scoring,
                                                 Strands strands) {
  const Scoring used = scoring_of(relation.kind, scoring, scoring.matrix.alphabet());
  std::map<std::string, std::string> parameters = {{"matrix", used.matrix.name()},
                                                   {"gap_costs", used.format_gaps()},
                                                   {"mode", std::string(word_of(used.mode))},
                                                   {"strands", std::string(word_of(strands))}};
  parameters["matrix_sha256"] = matrix_sha256(used.matrix);
  if (used.mode != Mode::local) parameters["free_ends"] = free_ends_of(used);
  if (const std::optional<MatrixValue> value = value_of({&relation, 1});
      value && value->kind == PairValue::identity)
    parameters["identity_by"] = word_of(value->denominator);
  if (relation.kind == RelationKind::part) parameters["evalue"] = fmt::format("{}", kPartEvalue);
  return parameters;
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
    one.scoring = scoring_of(one.relation.kind, scoring, alphabet);
    if (is_of_call(one.relation.kind) || one.relation.kind == RelationKind::whole) continue;
    one.statistics =
        resolve_statistics({.residues = chosen.residues, .sequences = chosen.sequences}, one.scoring, space,
                           {.strands = options.fields.strands, .needed = true}, call);
    options.statistics = one.statistics;
  }
}

}  // namespace alnus::api
