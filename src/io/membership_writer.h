// Writes clusters and subsets of a set's records in the formats that docs/memberships.md describes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/sequence_set.h"
#include "io/membership.h"
#include "io/output_file.h"

namespace alnus::io {

// All functions throw Error(input) naming the record if an id is empty or has a character that the format
// cannot hold: a line end, for write_mmseqs_clusters() a tab, and for write_clstr() a blank or a tab.

// Throws Error(input) naming the first record whose id is empty or has a character of `forbidden` or a line
// end, as the functions below do when they come to it.
void require_writable_ids(const SequenceSet& sequences, std::string_view forbidden = {});
// Throws Error(input) naming the first record whose id is not UTF-8, which JSON cannot hold.
void require_utf8_ids(const SequenceSet& sequences);

struct Clusters {
  std::span<const std::uint32_t> cluster_of;  // of each record, from 0; kNoSet: the record is not written
  // A record of each cluster, which stands first in it. The other members follow in the order of the set.
  std::span<const SequenceSet::Index> representatives;
};

// Representative TAB member, for each member.
void write_mmseqs_clusters(OutputFile& out, const SequenceSet& sequences, const Clusters& clusters);

// CD-HIT's .clstr. `identities` has the identity of each record with its representative, in percent, which is
// written with two decimals; NaN: none is written. It may be empty.
void write_clstr(OutputFile& out, const SequenceSet& sequences, const Clusters& clusters,
                 std::span<const double> identities = {});

struct Subsets {
  std::span<const std::uint32_t> subset_of;  // of each record, from 0; kNoSet: the record is not written
  std::span<const std::string> names;        // of each subset
};

struct SplitColumn {
  std::string name;
  std::vector<std::string> values;  // of each record
};

// SPLIT.csv: the header id,subset and the names of the columns, then the records in the order of the set.
// Throws Error(input), too, for a name or value with a line end.
void write_split(OutputFile& out, const SequenceSet& sequences, const Subsets& subsets,
                 std::span<const SplitColumn> columns = {});

// What GraphPart writes about a record beside its cluster; both may be empty, and are then False and 0.
struct GraphPartColumns {
  std::span<const std::uint8_t> priority;  // of each record; 0 is False
  std::span<const std::uint32_t> label;    // of each record: the number of its label
};

// GraphPart's CSV, in which the number of the subset is the cluster.
void write_graph_part(OutputFile& out, const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                      const GraphPartColumns& columns = {});

// The ids of one subset, a line each.
void write_subset_ids(OutputFile& out, const SequenceSet& sequences, std::span<const std::uint32_t> subset_of,
                      std::uint32_t subset);

}  // namespace alnus::io
