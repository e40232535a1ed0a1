// Arguments that several calls have.
#pragma once

#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/option_table.h"
#include "alnus/output.h"
#include "alnus/search.h"
#include "arrays.h"
#include "bindings.h"
#include "words.h"

namespace alnus::python {

// Returns `options` with those members of kOptions<Options> set that `given` has, by the names of Python's
// arguments. All others keep their values.
template <class Options>
Options with(Options options, const Fields& given) {
  for_each_option<Options>([&](const auto& option) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    const std::string argument = argument_name(option.name);
    if (!given.contains(argument.c_str())) return;
    const nanobind::object value = given[argument.c_str()];
    if constexpr (std::is_enum_v<Value>)
      options.*(option.member) = parse_word<Value>(argument, nanobind::cast<std::string>(value));
    else
      options.*(option.member) = nanobind::cast<Value>(value);
  });
  return options;
}

// What is computed of each row, and which strands are aligned.
struct RowOptions {
  Detail detail = Detail::alignment;
  std::optional<Strands> strand{};  // empty: the default of the call
  std::vector<Denominator> identity_ranges{};
  StatisticsOptions statistics{};
  bool significance = false;  // bits, E-values, Z-scores are wanted
};

// All pairs into files: the options and files that Python's arguments make.
struct PairCall {
  AllPairsOptions options;
  PairFiles files;
};

// The keys of `files` are output, format, header, matrices (a dict of value to path), checkpoint, and the
// arguments of Python for kOptions<PairFiles>. Each may be missing. The head of reports is left empty.
PairCall pair_call(const RowOptions& wanted, const PairFilter& filter, bool self, std::uint32_t top_k,
                   const Words& value, const std::string& denominator, const Fields& files);

void bind_options(nanobind::module_& module);

}  // namespace alnus::python
