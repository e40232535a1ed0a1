// Bindings of Z-values, identity ranges and calibrations.
#include <cmath>
#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "words.h"

namespace alnus::python {
namespace {

using ZColumns =
    std::tuple<Column<double>, Column<double>, Column<double>, Column<double>, Column<std::uint8_t>>;

// Columns (z, standard_error, log_p, goodness, side) of alnus::ZValue, with a value for each pair; NaN where
// there is no value. `side` is 0 if the shuffles of the query gave z, and 1 if those of the subject did.
ZColumns z_values(Session& session, const Database& queries, const Database& subjects, const PairArray& pairs,
                  const Scoring& scoring, const ShuffleOptions& options, const Listeners& listeners) {
  const std::vector<IndexPair> list = pairs_of(pairs);
  const std::vector<ZValue> values = follow(listeners, [&](const RunControl& run) {
    return session.z_values(queries, subjects, list, {}, scoring, options, run);
  });
  const auto column = [&](std::optional<double> ZValue::*which) {
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const ZValue& value : values) numbers.push_back((value.*which).value_or(std::nan("")));
    return owned(std::move(numbers));
  };
  std::vector<std::uint8_t> sides;
  sides.reserve(values.size());
  for (const ZValue& value : values) sides.push_back(static_cast<std::uint8_t>(value.side));
  return {column(&ZValue::z), column(&ZValue::standard_error), column(&ZValue::log_p),
          column(&ZValue::goodness), owned(std::move(sides))};
}

Numbers identity_range(Session& session, const Database& queries, const Database& subjects,
                       const PairArray& pairs, const Scoring& scoring, const std::string& denominator,
                       const Listeners& listeners) {
  const std::vector<IndexPair> list = pairs_of(pairs);
  const Denominator by = parse_word<Denominator>("denominator", denominator);
  const std::vector<IdentityRange> ranges = follow(listeners, [&](const RunControl& run) {
    return session.identity_range(queries, subjects, list, scoring, by, run);
  });
  NewArray<double> values(2 * ranges.size(), "The identity ranges");
  double* to = values.data();
  for (const IdentityRange& range : ranges)
    for (const Fraction& fraction : {range.lowest, range.highest})
      *to++ = static_cast<double>(fraction.numerator) / static_cast<double>(fraction.denominator);
  return values.finish({ranges.size(), 2});
}

Calibration calibrate(Session& session, const Scoring& scoring, double precision, std::uint32_t length,
                      const std::optional<std::string>& background, bool anew, const Listeners& listeners) {
  CalibrationOptions options;
  options.precision = precision;
  options.length = length;
  if (background) options.background = parse_background(*background, "background", scoring.matrix.alphabet());
  options.anew = anew;
  return follow(listeners, [&](const RunControl& run) { return session.calibrate(scoring, options, run); });
}

}  // namespace

void bind_statistics(nb::module_& module) {
  nb::class_<Calibration> calibration(module, "Calibration");
  calibration.def("to_json", &Calibration::to_json)
      .def_static("from_json", [](const std::string& text) { return Calibration::from_json(text); })
      .def_ro("pairs", &Calibration::pairs)
      .def_ro("length", &Calibration::length)
      .def_ro("precision", &Calibration::precision)
      .def_ro("seconds", &Calibration::seconds)
      .def_ro("beta", &Calibration::beta)
      .def_prop_ro("H", [](const Calibration& self) { return self.parameters().H; });
  const auto estimate = [&](const char* name, ParameterEstimate Calibration::*which) {
    calibration.def_prop_ro(name, [which](const Calibration& self) {
      return std::pair((self.*which).value, (self.*which).error);
    });
  };
  estimate("lam", &Calibration::lambda);
  estimate("K", &Calibration::K);
  estimate("alpha", &Calibration::alpha);
  estimate("alpha_v", &Calibration::alpha_v);
  estimate("sigma", &Calibration::sigma);
  module.def("z_values", &z_values, nb::arg("session"), nb::arg("queries"), nb::arg("subjects"),
             nb::arg("pairs"), nb::arg("scoring"), nb::arg("options"), nb::kw_only(), nb::arg("listeners"));
  module.def("identity_range", &identity_range, nb::arg("session"), nb::arg("queries"), nb::arg("subjects"),
             nb::arg("pairs"), nb::arg("scoring"), nb::arg("denominator"), nb::kw_only(),
             nb::arg("listeners"));
  module.def("calibrate", &calibrate, nb::arg("session"), nb::arg("scoring"), nb::kw_only(),
             nb::arg("precision"), nb::arg("length"), nb::arg("background").none(), nb::arg("anew"),
             nb::arg("listeners"));
  module.def("add_calibration", &Session::add_calibration, nb::arg("session"), nb::arg("scoring"),
             nb::arg("calibration"));
}

}  // namespace alnus::python
