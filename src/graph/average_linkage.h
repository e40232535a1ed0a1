// Average linkage (UPGMA; Sokal and Michener 1958): the order of the leaves of the tree.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/stop_flag.h"

namespace alnus::graph {

// Joins the two nearest clusters until one is left, and returns the leaves in the order of the tree. The
// distance of two clusters is the mean distance of their members. Of the two branches of a join the one with
// the lowest leaf comes first. `distances`: those of items i > j at i * (i - 1) / 2 + j; the function
// overwrites them. `items` * (items - 1) / 2 of them. Takes O(items^2) time by chains of nearest neighbours
// (Murtagh 1983), which find the same tree as joining the nearest two, unless distances are equal: a chain
// begins with the cluster that has the lowest leaf, and of equally near neighbours it takes the one that it
// came from, else the one with the lowest leaf. Distances must be numbers. The order is the same on every
// machine: means are rounded to float after each join, and before that nothing but one sum and one quotient
// is rounded. Throws Interrupted.
std::vector<std::uint32_t> average_linkage_order(std::uint32_t items, std::span<float> distances,
                                                 const StopFlag& stop = StopFlag::never());

}  // namespace alnus::graph
