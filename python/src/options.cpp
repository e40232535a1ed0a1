#include "options.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <string>

namespace alnus::python {

namespace nb = nanobind;

AlignOptions RowOptions::for_pairs() const {
  AlignOptions options;
  options.detail = detail;
  options.strands = strand.value_or(Strands::plus);
  options.statistics = statistics;
  options.significance = significance;
  options.identity_ranges = identity_ranges;
  return options;
}

namespace {

ShuffleOptions shuffle_options(std::uint32_t shuffles, const std::string& shuffled, std::uint64_t seed) {
  return {
      .shuffles = shuffles, .sides = parse_word<ShuffleOptions::Sides>("shuffled", shuffled), .seed = seed};
}

StatisticsOptions statistics_options(const std::string& preset, const Words& stats, const Words& composition,
                                     const Words& low_complexity, const Words& count_strands,
                                     const std::optional<double>& residues,
                                     const std::optional<double>& sequences,
                                     const std::optional<double>& searchsp,
                                     const std::optional<ShuffleOptions>& shuffles) {
  StatisticsOptions options;
  options.preset = preset;
  options.method = chosen<StatisticsMethod>("stats", stats);
  options.composition = chosen<Composition>("composition", composition);
  options.low_complexity = chosen<LowComplexity>("low_complexity", low_complexity);
  options.counted_strands = chosen<CountedStrands>("count_strands", count_strands);
  options.residues = residues;
  options.sequences = sequences;
  options.cells = searchsp;
  options.shuffles = shuffles;
  return options;
}

RowOptions row_options(const std::string& detail, const Words& strand,
                       const std::vector<std::string>& identity_ranges, const StatisticsOptions& statistics,
                       bool significance) {
  return {parse_word<Detail>("detail", detail), chosen<Strands>("strand", strand),
          denominators_of(identity_ranges, "identity range"), statistics, significance};
}

PairFilter pair_filter(const std::optional<double>& min_score, const std::optional<double>& min_identity,
                       const std::string& denominator, const std::optional<double>& evalue,
                       const std::optional<double>& min_coverage, const std::string& coverage_of,
                       const std::optional<std::uint32_t>& min_length) {
  PairFilter filter;
  filter.min_score = min_score;
  filter.min_identity = min_identity;
  filter.denominator = parse_word<Denominator>("denominator", denominator);
  filter.evalue = evalue;
  filter.min_coverage = min_coverage;
  filter.coverage_of = parse_word<CoverageOf>("coverage_of", coverage_of);
  filter.min_length = min_length;
  return filter;
}

}  // namespace

void bind_options(nb::module_& module) {
  // NOLINTBEGIN(bugprone-unused-raii): the constructors register classes, which the module keeps
  nb::class_<ShuffleOptions>(module, "ShuffleOptions");
  nb::class_<StatisticsOptions>(module, "StatisticsOptions");
  nb::class_<RowOptions>(module, "RowOptions");
  nb::class_<PairFilter>(module, "PairFilter");
  // NOLINTEND(bugprone-unused-raii)
  module.def("shuffle_options", &shuffle_options, nb::kw_only(), nb::arg("shuffles"), nb::arg("shuffled"),
             nb::arg("seed"));
  module.def("statistics_options", &statistics_options, nb::kw_only(), nb::arg("preset"),
             nb::arg("stats").none(), nb::arg("composition").none(), nb::arg("low_complexity").none(),
             nb::arg("count_strands").none(), nb::arg("residues").none(), nb::arg("sequences").none(),
             nb::arg("searchsp").none(), nb::arg("shuffles").none());
  module.def("row_options", &row_options, nb::kw_only(), nb::arg("detail"), nb::arg("strand").none(),
             nb::arg("identity_ranges"), nb::arg("statistics"), nb::arg("significance"));
  module.def("pair_filter", &pair_filter, nb::kw_only(), nb::arg("min_score").none(),
             nb::arg("min_identity").none(), nb::arg("denominator"), nb::arg("evalue").none(),
             nb::arg("min_coverage").none(), nb::arg("coverage_of"), nb::arg("min_length").none());
}

}  // namespace alnus::python
