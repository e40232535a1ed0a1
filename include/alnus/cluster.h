// Options and results of Session::cluster: clusters of similar sequences, with a promise that they keep.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/sequence_set.h"
#include "alnus/similarity.h"
#include "alnus/words.h"

namespace alnus {

// What holds for all clusters of a result.
// - components: no two sequences of different clusters are similar. A cluster is a connected component of the
//   graph whose edges join similar sequences, so that two of its members may be joined by others alone.
// - representatives: each member is similar to the representative of its cluster, and no two representatives
//   are similar. Other members of different clusters may be similar.
enum class ClusterPromise : std::uint8_t { components, representatives };
template <>
inline constexpr std::array kWords<ClusterPromise> = {
    Word{"components", ClusterPromise::components}, Word{"representatives", ClusterPromise::representatives}};

// How representatives are chosen, for ClusterPromise::representatives.
// - greedy: sequences are taken in their order; one that is similar to no representative so far becomes a
//   representative, as in CD-HIT (Li & Godzik 2006).
// - set_cover: the next representative is the sequence that is similar to the most sequences without a
//   representative (Chvatal 1979), among those that are similar to no representative so far. Mostly there are
//   fewer clusters than by greedy.
// In both a member belongs to the first representative that it is similar to.
enum class RepresentativeChoice : std::uint8_t { greedy, set_cover };
template <>
inline constexpr std::array kWords<RepresentativeChoice> = {
    Word{"greedy", RepresentativeChoice::greedy}, Word{"set_cover", RepresentativeChoice::set_cover}};

struct ClusterOptions {
  Similarity similarity{};
  ClusterPromise promise = ClusterPromise::components;
  RepresentativeChoice choice = RepresentativeChoice::greedy;  // for ClusterPromise::representatives
  // A number for each sequence, in the order of the file, or empty: all the same. The order of sequences is:
  // higher priority first, then longer sequences, then earlier ones. It decides which sequence of a component
  // is the representative, and in which order representatives are chosen. Error(input) for another number of
  // numbers, or for one that is not finite.
  std::vector<double> priority{};
  bool identities = false;  // Clusters::identity is wanted; Error(input) with ClusterPromise::components
  EdgeFiles edge_files{};
};
template <>
inline constexpr std::tuple kOptions<ClusterOptions> = {
    CallOption{"promise", &ClusterOptions::promise, "WORD",
               "What holds for all clusters. components: no two sequences of different clusters are similar; "
               "representatives: each member is similar to its representative, and no two representatives "
               "are similar",
               "components"},
    CallOption{"choice", &ClusterOptions::choice, "WORD",
               "How representatives are chosen. greedy: the longest sequence that is similar to none so far; "
               "set-cover: the sequence that is similar to the most sequences without a representative",
               "greedy"},
};

struct Clusters {
  std::vector<Relation> relations;  // by which sequences are similar; empty: edges were given without any
  // For each sequence, in the order of the file: the index of its cluster's representative, in the same
  // order. A representative has its own index.
  std::vector<SequenceSet::Index> representative;
  // The representatives, one for each cluster: of components in the order of ClusterOptions::priority, else
  // in the order in which they were chosen.
  std::vector<SequenceSet::Index> representatives;
  // With ClusterOptions::identities, for each sequence its identity with its representative in percent, as
  // the first relation that they have counts it and with three decimals, as in tables of edges; 100 for
  // representatives and equal sequences, NaN if that relation is not one of identities. Else empty.
  std::vector<double> identity;
  std::uint64_t pairs = 0, cells = 0;  // that were compared
  std::uint64_t similar = 0;           // pairs that have one of the relations
  std::uint64_t equal = 0;             // sequences that are equal to an earlier one
  std::string statistics;              // how E-values are computed, in words; empty: there are none
  double seconds = 0;
};

// Files of clusters. An empty name means that the file is not wanted; "-" is standard output. The first
// record of a cluster is its representative, and clusters are in the order of Clusters::representatives.
struct ClusterFiles {
  std::string tsv{};  // MMseqs2's table: representative, tab, member
  // CD-HIT's .clstr, with the identity of each member. Error(input) with ClusterPromise::components.
  std::string clstr{};
};
template <>
inline constexpr std::tuple kOptions<ClusterFiles> = {
    CallOption{"clstr", &ClusterFiles::clstr, "FILE",
               "Write the clusters as CD-HIT's .clstr, with the identity of each member to its "
               "representative; needs --promise representatives"},
};

}  // namespace alnus
