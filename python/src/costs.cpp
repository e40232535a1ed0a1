// Bindings that tell what calls would cost.
#include <cmath>
#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <vector>

#include "alnus/cost.h"
#include "alnus/session.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "options.h"

namespace alnus::python {
namespace {

Fields fields_of(const Cost& cost, double output_bytes) {
  Fields fields;
  fields["queries"] = cost.queries;
  fields["subjects"] = cost.subjects;
  fields["pairs"] = cost.pairs;
  fields["cells"] = cost.cells;
  fields["seconds"] = cost.seconds;
  fields["devices"] = cost.devices;
  fields["rows"] = cost.rows;
  fields["edges"] = cost.edges;
  fields["output_bytes"] = static_cast<std::uint64_t>(std::llround(output_bytes));
  fields["calibration_seconds"] = cost.calibration_seconds;
  fields["any_rows"] = cost.any_rows;
  fields["any_alignments"] = cost.any_alignments;
  return fields;
}

Cost cost_of(const Fields& fields) {
  const auto number = [&](const char* name) { return nb::cast<std::uint64_t>(fields[name]); };
  Cost cost;
  cost.queries = number("queries");
  cost.subjects = number("subjects");
  cost.pairs = number("pairs");
  cost.cells = number("cells");
  cost.seconds = nb::cast<double>(fields["seconds"]);
  for (const nb::handle device : fields["devices"]) cost.devices.push_back(nb::cast<std::string>(device));
  cost.rows = number("rows");
  cost.matrix_bytes = cost.rows == 0 ? number("output_bytes") : 0;
  cost.edges = nb::cast<std::optional<std::uint64_t>>(fields["edges"]);
  cost.calibration_seconds = nb::cast<double>(fields["calibration_seconds"]);
  cost.any_rows = nb::cast<bool>(fields["any_rows"]);
  cost.any_alignments = nb::cast<bool>(fields["any_alignments"]);
  return cost;
}

// Calls estimate() without the GIL, and returns the fields of its Cost.
template <class Estimate>
Fields told(const Estimate& estimate, const OutputFormat& format, const Database& queries,
            const Database& subjects) {
  Cost cost;
  double bytes = 0;
  {
    const Unlocked unlocked;
    cost = estimate();
    bytes = expected_output_bytes(cost, format, queries.sequences(), subjects.sequences());
  }
  return fields_of(cost, bytes);
}

Fields cost_of_search(Session& session, const Database& queries, const Database& database,
                      const Scoring& scoring, const SearchOptions& options, const std::string& format) {
  const auto estimate = [&] { return session.cost_of_search(queries, database, scoring, options); };
  return told(estimate, OutputFormat::parse(format), queries, database);
}

Fields cost_of_align(Session& session, const Database& queries, const Database& subjects,
                     const PairArray& pairs, const Scoring& scoring, const AlignOptions& options,
                     const std::string& format) {
  const std::vector<IndexPair> list = pairs_of(pairs);
  const auto estimate = [&] {
    return session.cost_of_align(queries, subjects, list, false, scoring, options);
  };
  return told(estimate, OutputFormat::parse(format), queries, subjects);
}

Fields cost_of_all_pairs(Session& session, const Database& set, const std::optional<Database>& against,
                         const Scoring& scoring, const RowOptions& wanted, const PairFilter& filter,
                         bool self, std::uint32_t top_k, const Words& value, const std::string& denominator,
                         const Fields& files) {
  const PairCall call = pair_call(wanted, filter, self, top_k, value, denominator, files);
  const auto estimate = [&] {
    return session.cost_of_all_pairs(PairInputs{set, against, {}}, scoring, call.options, call.files);
  };
  return told(estimate, call.files.format, set, against.value_or(set));
}

std::string describe_fields(const Fields& cost) {
  return describe(cost_of(cost), static_cast<double>(nb::cast<std::uint64_t>(cost["output_bytes"])));
}

std::string time_of_fields(const Fields& cost) { return expected_time(cost_of(cost)); }

}  // namespace

void bind_costs(nb::module_& module) {
  module.def("cost_of_search", &cost_of_search, nb::arg("session"), nb::arg("queries"), nb::arg("database"),
             nb::arg("scoring"), nb::arg("options"), nb::kw_only(), nb::arg("format"));
  module.def("cost_of_align", &cost_of_align, nb::arg("session"), nb::arg("queries"), nb::arg("subjects"),
             nb::arg("pairs"), nb::arg("scoring"), nb::arg("options"), nb::kw_only(), nb::arg("format"));
  module.def("cost_of_all_pairs", &cost_of_all_pairs, nb::arg("session"), nb::arg("set"),
             nb::arg("against").none(), nb::arg("scoring"), nb::arg("options"), nb::arg("filter"),
             nb::kw_only(), nb::arg("self"), nb::arg("top_k"), nb::arg("value").none(),
             nb::arg("denominator"), nb::arg("files"));
  module.def("describe_cost", &describe_fields, nb::arg("cost"));
  module.def("expected_time", &time_of_fields, nb::arg("cost"));
}

}  // namespace alnus::python
