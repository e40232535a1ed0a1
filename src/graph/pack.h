// Packing: which subset of a split each item goes to. An item is a component of similar sequences, which
// stays whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/stop_flag.h"

namespace alnus::graph {

// Number of a subset of a split, from 0.
using Subset = std::uint32_t;
inline constexpr Subset kAnySubset = std::numeric_limits<Subset>::max();

// The least and the greatest weight that a subset may have.
struct Bounds {
  std::uint64_t lowest, highest;
};

// How many records of an item have a label. The labels of several columns are numbered through: those of the
// second column follow those of the first.
struct LabelCount {
  std::uint32_t label, count;
};

struct PackItem {
  std::uint64_t weight;                // number of records, below 2^31 for all items together
  std::span<const LabelCount> labels;  // each label at most once
  Subset subset = kAnySubset;          // where the item must go
};

struct PackTarget {
  std::uint64_t
      fraction;   // of the records, in any unit (parts per million); below 2^31 for all subsets together
  Bounds bounds;  // in records
};

struct Packing {
  std::vector<Subset> subset_of;     // for each item; empty if an item is too large
  std::vector<std::uint64_t> sizes;  // records of each subset
  bool within_bounds = false;        // true if the size of every subset is within its bounds
  std::optional<std::size_t>
      too_large;  // the largest item that exceeds the highest size of its subset, or of all
};

// Puts each item into a subset. Best is, first, the least number of records by which sizes are out of bounds
// (summed over subsets) and, second, the least deviation D: with N records that have a label, n of them in a
// subset, whose fraction is f of a sum of F, D is the sum of (F n - f N)^2 over all subsets, all labels, and,
// as one label more, all records. Items are placed by decreasing weight, each where the result is then best.
// Late acceptance (Burke & Bykov 2017) improves that by moves and swaps: it accepts what is not worse than
// the packing some steps ago. That the best packing was found, or one within bounds if there is any, is not
// certain. `work`: updates of a subset's number of a label, 10 to 20 million a second; the search ends
// earlier if nothing gets better for long. The result depends on the arguments alone. There must be a subset.
Packing pack(std::span<const PackItem> items, std::span<const PackTarget> targets, std::uint32_t labels,
             std::uint64_t seed, std::uint64_t work = 20'000'000, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::graph
