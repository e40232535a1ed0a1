// The steps of Session::split that need no alignment.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "alnus/split.h"
#include "core/stop_flag.h"
#include "graph/split.h"

namespace alnus::api {

// The records of a set as the vertices of a graph: equal records, and those of one group, are one vertex.
struct FoldedRecords {
  std::vector<graph::Vertex> vertex_of;  // of each record
  std::vector<graph::SplitVertex> vertices;
  std::uint64_t equal = 0;  // records that are equal to an earlier one
  static constexpr std::uint32_t kNoLabel = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::vector<std::uint32_t>> label_of;  // of each column and record: an index in `labels`
  std::vector<Split::Label> labels;  // by their numbers in SplitVertex::labels; without counts
};

// The options with their defaults: names and bounds of the subsets, for so many records.
struct ResolvedSplit {
  std::vector<std::string> names;
  std::vector<graph::PackTarget> targets;
};

// Throws Error(input) for options that contradict each other or the set.
ResolvedSplit resolve(const SplitOptions& options, const SequenceSet& set);

// Throws Error(input) naming a group or two equal records that are fixed in two subsets, and Interrupted.
FoldedRecords fold(const SplitOptions& options, const ResolvedSplit& resolved, const SequenceSet& set,
                   const StopFlag& stop);

// Which records are similar to how many others, and which are joined by them.
struct SimilarRecords {
  std::vector<std::uint32_t> others;  // how many records each record is similar to
  graph::ComponentMap components;     // of FoldedRecords::vertices
};

// Throws Error(input) saying why the split is not within its bounds.
[[noreturn]] void refuse_split(const graph::Split& split, const ResolvedSplit& resolved,
                               const FoldedRecords& folded, const SimilarRecords& similar,
                               const SequenceSet& set, const SplitOptions& options);

}  // namespace alnus::api
