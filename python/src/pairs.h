// Pairs of indices as Python gives them.
#pragma once

#include <cstdint>
#include <nanobind/ndarray.h>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::python {

// Rows of (query, subject).
using PairArray =
    nanobind::ndarray<const std::uint32_t, nanobind::shape<-1, 2>, nanobind::c_contig, nanobind::device::cpu>;

std::vector<IndexPair> pairs_of(const PairArray& array);

}  // namespace alnus::python
