// Pairs of indices that Python hands in.
#pragma once

#include <cstdint>
#include <nanobind/ndarray.h>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::python {

// An array of shape (n, 2) with a row (index of the query, index of the subject) for each pair.
using PairArray =
    nanobind::ndarray<const std::uint32_t, nanobind::shape<-1, 2>, nanobind::c_contig, nanobind::device::cpu>;

std::vector<IndexPair> pairs_of(const PairArray& array);

}  // namespace alnus::python
