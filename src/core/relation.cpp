#include "alnus/relation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/refuse_input.h"

namespace alnus {
namespace {

bool takes_percent(RelationKind kind) { return kind == RelationKind::whole || kind == RelationKind::part; }

// Throws Error(input) with what is wrong with a relation.
[[noreturn]] void refuse(std::string_view relation, std::string_view wrong) {
  refuse_input(fmt::format("{} {}: {}", option("relation"), relation, wrong));
}

std::string word_for_users(RelationKind kind) {
  std::string word(word_of(kind));
  std::ranges::replace(word, '_', '-');
  return word;
}

RelationKind parse_kind(std::string_view text) {
  if (const std::optional<RelationKind> kind = find_word<RelationKind>(text)) return *kind;
  std::vector<std::string> words;
  words.reserve(kWords<RelationKind>.size());
  for (const Word<RelationKind>& word : kWords<RelationKind>) words.push_back(word_for_users(word.value));
  refuse_input(fmt::format("There is no relation {}; {}", in_quotes(text), suggestion(text, words)));
}

Relation parse_relation(std::string_view text) {
  const std::size_t colon = text.find(':');
  const RelationKind kind = parse_kind(text.substr(0, colon));
  if (colon == std::string_view::npos)
    refuse(text, fmt::format("the threshold is missing, as in {}:{}.", text,
                             takes_percent(kind)             ? "30"
                             : kind == RelationKind::related ? "0.001"
                                                             : "75"));
  const std::string_view number = text.substr(colon + 1);
  double threshold = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), threshold);
  if (error != std::errc() || end != number.data() + number.size())
    refuse(text, fmt::format("{} is no number.", in_quotes(number)));
  return {kind, threshold};
}

void check(const Relation& relation) {
  const double threshold = relation.threshold;
  const std::string text = to_string(relation);
  if (!std::isfinite(threshold)) refuse(text, "the threshold is no finite number.");
  if (relation.kind == RelationKind::related && threshold < 0) refuse(text, "E-values are 0 or more.");
  if (!takes_percent(relation.kind)) return;
  constexpr double kAll = 100;
  if (threshold >= 0 && threshold <= 1 && kAll * threshold > 1)
    refuse(text, fmt::format("identities are percents: write {}:{:.10g} for this fraction.",
                             word_of(relation.kind), kAll * threshold));
  if (threshold <= 1) refuse(text, "identities are percents, above 1 and at most 100.");
  if (threshold > kAll) refuse(text, "identities are percents, above 1 and at most 100.");
}

}  // namespace

std::vector<Relation> parse_relations(std::string_view list) {
  std::vector<Relation> relations;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    relations.push_back(parse_relation(list.substr(begin, end - begin)));
    begin = end + 1;
  }
  check_relations(relations);
  return relations;
}

void check_relations(std::span<const Relation> relations) {
  std::set<RelationKind> kinds;
  for (const Relation& relation : relations) {
    check(relation);
    if (!kinds.insert(relation.kind).second)
      refuse(to_string(relations),
             fmt::format("{} comes twice. Name each kind once.", word_for_users(relation.kind)));
  }
}

std::string to_string(const Relation& relation) {
  return fmt::format("{}:{}", word_for_users(relation.kind), relation.threshold);
}

std::string to_string(std::span<const Relation> relations) {
  std::vector<std::string> texts;
  for (const Relation& relation : relations) texts.push_back(to_string(relation));
  return fmt::format("{}", fmt::join(texts, ","));
}

}  // namespace alnus
