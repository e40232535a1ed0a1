#include "options.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <string>
#include <type_traits>
#include <variant>

#include "alnus/differences.h"
#include "alnus/error.h"
#include "alnus/scoring.h"
#include "arrays.h"
#include "bindings.h"

namespace alnus::python {

namespace nb = nanobind;

namespace {

// What an option with values of this type takes, as a tuple: ("word", the words), ("file",), ("flag",),
// ("number",) or ("whole", the least number, the largest one, a word for the largest one or "").
template <class Value>
nb::tuple taken_by(const Takes& takes) {
  if constexpr (std::is_enum_v<Value>) {
    return nb::make_tuple("word", nb::cast(words_of<Value>()));
  } else if constexpr (std::is_same_v<Value, bool>) {
    return nb::make_tuple("flag");
  } else if constexpr (std::is_arithmetic_v<Value>) {
    const auto* const counts = std::get_if<Counts>(&takes);
    return counts ? nb::make_tuple("whole", counts->least, counts->most, counts->word_for_most)
                  : nb::make_tuple("number");
  } else {
    return nb::make_tuple("file");
  }
}

// What Python has in the place of a default. An option that is empty by default has None.
template <class Value>
nb::object shown(const Value& value) {
  if constexpr (std::is_enum_v<Value>)
    return nb::cast(word_of(value));
  else if constexpr (std::is_arithmetic_v<Value>)
    return nb::cast(value);
  else
    return nb::none();
}

// The options of kOptions for these structs by the names of Python's arguments: what each takes, its default,
// its help, and what the help says of the default.
template <class... Options>
Fields table_of() {
  Fields table;
  const auto add = [&]<class One>(const One& defaults) {
    for_each_option<One>([&](const auto& option) {
      using Value = typename std::decay_t<decltype(option)>::Value;
      table[argument_name(option.name).c_str()] = nb::make_tuple(
          taken_by<Value>(option.takes), shown(defaults.*(option.member)), option.help, option.default_text);
    });
  };
  (add(Options{}), ...);
  return table;
}

// The options of all tables.
nb::typed<nb::dict, nb::str, Fields> all_options() {
  nb::typed<nb::dict, nb::str, Fields> tables;
  tables["search"] = table_of<SearchOptions, RowFilter>();
  tables["align"] = table_of<AlignOptions, RowFilter>();
  tables["differences"] = table_of<Differences>();
  tables["filter"] = table_of<PairFilter>();
  tables["outputs"] = table_of<PairFiles>();
  tables["statistics"] = table_of<StatisticsOptions>();
  tables["shuffle"] = table_of<ShuffleOptions>();
  return tables;
}

ShuffleOptions shuffle_options(const Fields& given, std::uint64_t seed) {
  return with(ShuffleOptions{.seed = seed}, given);
}

StatisticsOptions statistics_options(const Fields& given, const std::string& preset,
                                     const std::optional<double>& residues,
                                     const std::optional<double>& sequences,
                                     const std::optional<ShuffleOptions>& shuffles) {
  StatisticsOptions options = with(StatisticsOptions{}, given);
  options.preset = preset;
  options.residues = residues;
  options.sequences = sequences;
  options.shuffles = shuffles;
  return options;
}

PairFilter pair_filter(const Fields& given, const std::string& denominator) {
  PairFilter filter = with(PairFilter{}, given);
  filter.denominator = parse_word<Denominator>("denominator", denominator);
  return filter;
}

Differences differences_of(const Fields& given) { return with(Differences{}, given); }

Scoring scoring_of_differences(const Differences& differences, const std::string& alphabet) {
  return scoring_of(differences, parse_word<AlphabetKind>("alphabet", alphabet));
}

// What the options of searches and of given pairs have in common. What `differences` say of a call holds
// where `given` does not say otherwise.
template <class Options>
Options common_options(const RowOptions& rows, const Fields& given,
                       const std::optional<Differences>& differences) {
  if (differences && !given.contains("max_hsps") && rows.detail != Detail::alignment)
    throw Error(ErrorKind::input,
                "max_differences lists all places of a query, which needs alignments; choose "
                "detail='alignment', or max_hsps=1 for one place in each subject.");
  Options options;
  options.statistics = rows.statistics;
  if (differences) set(*differences, options);
  options = with(options, given);
  options.filter = with(RowFilter{}, given);
  options.detail = rows.detail;
  options.identity_ranges = rows.identity_ranges;
  return options;
}

SearchOptions search_options(const RowOptions& rows, const Fields& given,
                             const std::optional<Differences>& differences) {
  auto options = common_options<SearchOptions>(rows, given, differences);
  options.strands = rows.strand;
  return options;
}

AlignOptions align_options(const RowOptions& rows, const Fields& given,
                           const std::optional<Differences>& differences) {
  auto options = common_options<AlignOptions>(rows, given, differences);
  options.strands = rows.strand.value_or(Strands::plus);
  options.significance = rows.significance;
  return options;
}

RowOptions row_options(const std::string& detail, const Words& strand,
                       const std::vector<std::string>& identity_ranges, const StatisticsOptions& statistics,
                       bool significance) {
  return {parse_word<Detail>("detail", detail), chosen<Strands>("strand", strand),
          denominators_of(identity_ranges, "identity range"), statistics, significance};
}

}  // namespace

void bind_options(nb::module_& module) {
  // NOLINTBEGIN(bugprone-unused-raii): the constructors register classes, which the module keeps
  nb::class_<ShuffleOptions>(module, "ShuffleOptions");
  nb::class_<StatisticsOptions>(module, "StatisticsOptions");
  nb::class_<RowOptions>(module, "RowOptions");
  nb::class_<PairFilter>(module, "PairFilter");
  nb::class_<Differences>(module, "Differences");
  nb::class_<SearchOptions>(module, "SearchOptions");
  nb::class_<AlignOptions>(module, "AlignOptions");
  // NOLINTEND(bugprone-unused-raii)
  module.def("options", &all_options);
  module.def("argument_name", &argument_name, nb::arg("identifier"));
  module.def("shuffle_options", &shuffle_options, nb::arg("given"), nb::kw_only(), nb::arg("seed"));
  module.def("statistics_options", &statistics_options, nb::arg("given"), nb::kw_only(), nb::arg("preset"),
             nb::arg("residues").none(), nb::arg("sequences").none(), nb::arg("shuffles").none());
  module.def("row_options", &row_options, nb::kw_only(), nb::arg("detail"), nb::arg("strand").none(),
             nb::arg("identity_ranges"), nb::arg("statistics"), nb::arg("significance"));
  module.def("pair_filter", &pair_filter, nb::arg("given"), nb::kw_only(), nb::arg("denominator"));
  module.def("differences_of", &differences_of, nb::arg("given"));
  module.def("scoring_of_differences", &scoring_of_differences, nb::arg("differences"), nb::arg("alphabet"));
  module.def("search_options", &search_options, nb::arg("rows"), nb::arg("given"),
             nb::arg("differences").none());
  module.def("align_options", &align_options, nb::arg("rows"), nb::arg("given"),
             nb::arg("differences").none());
}

}  // namespace alnus::python
