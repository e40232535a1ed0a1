// What makes two sequences similar, for the calls that cluster, split and compare sets of sequences.
#pragma once

#include <optional>
#include <vector>

#include "alnus/relation.h"
#include "alnus/strand.h"

namespace alnus {

struct Similarity {
  // Two sequences are similar if they have one of these relations. Equal sequences are always similar, even
  // if they are too short for an alignment to be significant. Empty is Error(input).
  std::vector<Relation> relations{{RelationKind::whole, 30}, {RelationKind::part, 30}};
  // The strands of the longer sequence of a pair that are aligned. Empty: both for DNA, plus for proteins.
  std::optional<Strands> strands{};
};

}  // namespace alnus
