// Relations: what makes two sequences similar, for edges of all pairs (AllPairsOptions::relations).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/export.h"
#include "alnus/words.h"

namespace alnus {

// When two sequences are similar, where T, E and S stand for a threshold:
// - whole:T, if their identity over the whole length is at least T percent, as EMBOSS needle counts it: of an
//   alignment by the preset emboss-needle, the identical residues are divided by all columns, also those of
//   end gaps (Denominator::with_end_gaps).
// - part:T, if they have a significant local alignment, with an E-value of at most kPartEvalue, whose
//   identical residues are at least T percent of the shorter sequence.
// - related:E, if they have a local alignment with an E-value of at most E.
// - score:S, if the score of their alignment is at least S, in the substitution matrix' units.
// - score_distance:S, if their score distance (PairValue) is at most S.
// The identity is the highest of all alignments that have the best score. E-values and local alignments are
// those of a search with its defaults but for --evalue, which is E (kPartEvalue for part). Either of the two
// sequences may be the query, and the lower E-value counts. score and score_distance follow the scoring of
// the call; the others have a scoring of their own. If a call aligns both strands of nucleotides, the strand
// on which a pair scores higher counts. The search space of E-values is all sequences of the call, of one set
// or of both.
enum class RelationKind : std::uint8_t { whole, part, related, score, score_distance };
template <>
inline constexpr std::array kWords<RelationKind> = {
    Word{"whole", RelationKind::whole}, Word{"part", RelationKind::part},
    Word{"related", RelationKind::related}, Word{"score", RelationKind::score},
    Word{"score_distance", RelationKind::score_distance}};

inline constexpr double kPartEvalue = 0.001;  // the largest E-value of RelationKind::part

struct Relation {
  RelationKind kind = RelationKind::whole;
  double threshold = 30;  // percent (above 1, up to 100), E-value, score or score distance
  bool operator==(const Relation&) const = default;
};

// Reads "whole:30,part:30": kinds with their thresholds, separated by commas. Throws Error(input) for an
// unknown kind, a kind that comes twice, a threshold that is no number or missing, percents outside of
// 0 to 100, percents from 0 to 1, where a fraction was probably meant, and negative E-values.
ALNUS_API std::vector<Relation> parse_relations(std::string_view list);
// Throws Error(input) for thresholds and repeated kinds that parse_relations() refuses.
ALNUS_API void check_relations(std::span<const Relation> relations);
ALNUS_API std::string to_string(const Relation& relation);  // "whole:30"
ALNUS_API std::string to_string(std::span<const Relation> relations);

// True for score and score_distance, which follow the scoring of the call.
constexpr bool is_of_call(RelationKind kind) {
  return kind == RelationKind::score || kind == RelationKind::score_distance;
}

}  // namespace alnus
