// All pairs into files: the library's options and files, made of Python's arguments.
#pragma once

#include <cstdint>
#include <string>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "arrays.h"
#include "options.h"
#include "words.h"

namespace alnus::python {

struct PairCall {
  AllPairsOptions options;
  PairFiles files;
};

// The keys of `files` are output, format, header, matrices (a dict of value to path), checkpoint, and the
// arguments of Python for kOptions<PairFiles>. Each may be missing. The head of reports is left empty.
PairCall pair_call(const RowOptions& wanted, const PairFilter& filter, bool self, std::uint32_t top_k,
                   const Words& value, const std::string& denominator, const Fields& files);

}  // namespace alnus::python
