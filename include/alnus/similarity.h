// What makes two sequences similar, for the calls that cluster, split and compare sets of sequences.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/relation.h"
#include "alnus/strand.h"

namespace alnus {

struct Similarity {
  // Two sequences are similar if they have one of these relations. Equal sequences are always similar, even
  // if they are too short for an alignment to be significant. Empty is Error(input), except with edges that
  // are given (EdgeFiles::edges).
  std::vector<Relation> relations{{RelationKind::whole, 30}, {RelationKind::part, 30}};
  // The strands of the longer sequence of a pair that are aligned. Empty: both for DNA, plus for proteins.
  std::optional<Strands> strands{};
};

// The words of tables for a relation of a pair (Leak::relation, PairAcross::relation): "whole:30"; "equal"
// for kEqualResidues; "edge" where pairs were given without relations.
ALNUS_API std::string relation_name(const Similarity& similarity, std::uint8_t relation);
// The value of a pair as tables have it: identities with three decimals, E-values with an exponent.
ALNUS_API std::string relation_value(const Similarity& similarity, std::uint8_t relation, double value);

// Where the similar pairs of a set come from, if the call does not compute them in one go. At most one of the
// two may be given.
struct EdgeFiles {
  // A table of edges: its pairs are the similar ones, and nothing is compared. PairFiles::edges and merges
  // write one for relations, with a file beside it (edges.tsv.json) that says by which relations and of which
  // set. With that file, Similarity::relations must be the same relations by the same scoring and strands, or
  // empty: then they are those of the file. Error(input): the sequences or the table are others than it says.
  // Without it, the edges are taken as given, and Similarity::relations names the relations that a
  // certificate states; it may be empty. A pair may then come several times and counts once. "-" is standard
  // input.
  std::string edges{};
  // A directory in which the pairs are kept, as PairFiles::checkpoint keeps them, in edges.csv. An
  // interrupted call goes on from there, and a call with other options but the same similarity compares
  // nothing again.
  std::string checkpoint{};
};
// The names of the files with these pairs, which no output of a call may replace: the table, its companion,
// and what else is in the directory. Not all of them need to be there.
ALNUS_API std::vector<std::string> files_of(const EdgeFiles& files);
template <>
inline constexpr std::tuple kOptions<EdgeFiles> = {
    CallOption{"edges", &EdgeFiles::edges, "FILE",
               "Take the similar pairs from a table of edges, which allpairs --relation or merge wrote, in "
               "place of comparing sequences"},
    CallOption{"checkpoint", &EdgeFiles::checkpoint, "DIR",
               "Keep the similar pairs in DIR: the same command goes on after an interruption, and one with "
               "other options but the same similarity compares nothing again"},
};

}  // namespace alnus
