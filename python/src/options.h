// Arguments of calls that several of them have.
#pragma once

#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "words.h"

namespace alnus::python {

// What is computed of each row, and on which strands.
struct RowOptions {
  Detail detail = Detail::alignment;
  std::optional<Strands> strand{};
  std::vector<Denominator> identity_ranges{};
  StatisticsOptions statistics{};
  bool significance = false;  // bits, E-values, Z-scores are wanted

  AlignOptions for_pairs() const;
};

void bind_options(nanobind::module_& module);

}  // namespace alnus::python
