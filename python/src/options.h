// Arguments that several calls have.
#pragma once

#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/search.h"
#include "words.h"

namespace alnus::python {

// What is computed of each row, and which strands are aligned.
struct RowOptions {
  Detail detail = Detail::alignment;
  std::optional<Strands> strand{};  // empty: the default of the call
  std::vector<Denominator> identity_ranges{};
  StatisticsOptions statistics{};
  bool significance = false;  // bits, E-values, Z-scores are wanted

  AlignOptions for_pairs() const;  // for Session::align
};

void bind_options(nanobind::module_& module);

}  // namespace alnus::python
