#include "jobs/relation_parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <vector>

#include "io/sha2.h"

namespace alnus::jobs {
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

}  // namespace

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

Scoring scoring_of(RelationKind kind, const Scoring& of_call, AlphabetKind alphabet) {
  if (is_of_call(kind)) return of_call;
  return make_scoring({.preset = kind == RelationKind::whole ? "emboss-needle" : "", .alphabet = alphabet});
}

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

std::vector<io::Certificate::Relation> relations_of(std::span<const Relation> relations,
                                                    const Scoring& scoring, Strands strands) {
  std::vector<io::Certificate::Relation> all;
  for (const Relation& relation : relations) {
    const std::string text = to_string(relation);
    const std::size_t colon = text.find(':');
    all.push_back({text.substr(0, colon), text.substr(colon + 1), parameters_of(relation, scoring, strands)});
  }
  return all;
}

}  // namespace alnus::jobs
