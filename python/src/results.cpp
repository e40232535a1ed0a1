// Bindings of rows: their columns as NumPy arrays that show the library's memory, and their state for pickle.
#include "results.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <span>
#include <string>
#include <utility>

#include "alnus/coverage.h"
#include "alnus/row_check.h"
#include "alnus/row_columns.h"
#include "arrays.h"
#include "bindings.h"
#include "words.h"

namespace alnus::python {
namespace {

const Rows& rows_of(nb::handle self) { return nb::cast<const Rows&>(self); }

// The array of scores in the matrix' units, as doubles. Only for scorings with decimals: other scores are
// shown as they are.
nb::object scores(const Rows& rows) {
  std::vector<double> scores;
  scores.reserve(rows.columns.size());
  for (const std::int32_t score : rows.columns.score)
    scores.push_back(static_cast<double>(score) / rows.scoring.scale);
  return nb::cast(owned(std::move(scores)));
}

// The array of strands, which NumPy has no type for: 1 is plus, and -1 is minus.
nb::object strands(std::span<const Strand> all) {
  std::vector<std::int8_t> strands;
  strands.reserve(all.size());
  for (const Strand strand : all)
    strands.push_back(static_cast<std::int8_t>(strand == Strand::minus ? -1 : 1));
  return nb::cast(owned(std::move(strands)));
}

// The array of the column that kRowColumns has under the name, or None if the call did not compute it.
nb::object column(nb::handle self, std::string_view name) {
  const Rows& rows = rows_of(self);
  const std::size_t size = rows.columns.size();
  if (name == "score" && rows.scoring.scale != 1) return scores(rows);
  const auto groups = ColumnGroups::of(rows.detail, rows.stranded, rows.significance, rows.hsps);
  nb::object found = nb::none();
  for_each_row_column([&]<class Value, class InRow>(const RowColumn<Value, InRow>& of) {
    if (of.name != name) return;
    const std::span<const Value> values = rows.columns.*(of.in_columns);
    // Without rows all columns are empty, and the groups tell whether the call computes them.
    if (values.size() != size || (size == 0 && !groups.has(of.group))) return;
    if constexpr (std::is_same_v<Value, Strand>)
      found = strands(values);
    else
      found = nb::cast(view(values, self));
  });
  return found;
}

double value_of(const Fraction& fraction) {
  return static_cast<double>(fraction.numerator) / static_cast<double>(fraction.denominator);
}

Column<double> identity(const Rows& rows, const std::string& denominator) {
  const Denominator by = parse_word<Denominator>("denominator", denominator);
  const Columns& columns = rows.columns;
  if (columns.length.size() != columns.size())
    throw Error(ErrorKind::input, "There is no identity without alignments; choose detail='alignment'.");
  const SequenceSet &queries = rows.queries.sequences(), &subjects = rows.subjects.sequences();
  std::vector<double> identities;
  identities.reserve(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const Row row = columns.row(k);
    identities.push_back(
        value_of(identity_of(*row.counts, queries.length(row.query), subjects.length(row.subject), by)));
  }
  return owned(std::move(identities));
}

// The coverage of each row, as a fraction from 0 to 1.
Column<double> coverage(const Rows& rows, const std::string& of) {
  const CoverageOf which = parse_word<CoverageOf>("coverage", of);
  const Columns& columns = rows.columns;
  if (columns.length.size() != columns.size())
    throw Error(ErrorKind::input, "There is no coverage without alignments; choose detail='alignment'.");
  const SequenceSet &queries = rows.queries.sequences(), &subjects = rows.subjects.sequences();
  const auto span = [](std::int32_t begin, std::int32_t end) {
    return static_cast<std::size_t>(end - begin);
  };
  std::vector<double> coverages;
  coverages.reserve(columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    coverages.push_back(value_of(alnus::coverage(
        span(columns.query_begin[k], columns.query_end[k]), queries.length(columns.query[k]),
        span(columns.subject_begin[k], columns.subject_end[k]), subjects.length(columns.subject[k]), which)));
  return owned(std::move(coverages));
}

// The lowest and the highest identity of each row, as an array of shape (n, 2) of fractions from 0 to 1; NaN
// for rows beyond the first of their pair.
Numbers identity_range(const Rows& rows, const std::string& denominator) {
  const auto by = parse_word<Denominator>("denominator", denominator);
  const auto& ranges = rows.columns.identity_range[static_cast<std::size_t>(by)];
  if (ranges.size() != rows.columns.size())
    throw Error(ErrorKind::input, "There are no identity ranges by '" + denominator +
                                      "'; name it in identity_ranges of the call.");
  NewArray<double> values(2 * ranges.size(), "The identity ranges");
  double* to = values.data();
  for (const IdentityRange& range : ranges) {
    *to++ = value_of(range.lowest);
    *to++ = value_of(range.highest);
  }
  return values.finish({ranges.size(), 2});
}

std::string cigar(const Rows& rows, std::size_t k) {
  if (rows.columns.cigar_offsets.size() != rows.columns.size() + 1)
    throw Error(ErrorKind::input, "There are no CIGARs; choose detail='alignment'.");
  if (k >= rows.columns.size()) throw nb::index_error("There is no row of this index.");
  return to_string(rows.columns.row(k).cigar);
}

// The runs of all CIGARs, each a number as in BAM: length << 4 | operation.
Column<const std::uint32_t> packed_runs(nb::handle self) {
  const std::span<const CigarRun> runs = rows_of(self).columns.cigar_runs;
  static_assert(sizeof(CigarRun) == sizeof(std::uint32_t));
  return view(std::span(reinterpret_cast<const std::uint32_t*>(runs.data()), runs.size()), self);
}

// The QueryStatistics of a search as Python objects, which pickle keeps: for each query a tuple of the
// description and of Karlin's parameters, which are a tuple or None.
nb::list statistics_of_queries(const Rows& rows) {
  nb::list all;
  for (const QueryStatistics& one : rows.query_statistics) {
    nb::object karlin = nb::none();
    if (one.karlin)
      karlin = nb::make_tuple(one.karlin->lambda, one.karlin->K, one.karlin->H, one.karlin->search_space,
                              one.karlin->length_adjustment);
    all.append(nb::make_tuple(one.description, karlin));
  }
  return all;
}

[[noreturn]] void refuse_state(const std::string& what) {
  throw Error(ErrorKind::input, "These pickled rows are damaged: " + what + ".");
}

// The QueryStatistics of a list that statistics_of_queries() made.
std::vector<QueryStatistics> query_statistics_of(const nb::list& all) {
  std::vector<QueryStatistics> result;
  for (const nb::handle item : all) {
    const auto one = nb::cast<nb::tuple>(item);
    if (one.size() != 2) refuse_state("statistics of a query are missing");
    QueryStatistics& statistics = result.emplace_back();
    statistics.description = nb::cast<std::string>(one[0]);
    if (one[1].is_none()) continue;
    const auto karlin = nb::cast<nb::tuple>(one[1]);
    if (karlin.size() != 5) refuse_state("parameters of a query are missing");
    statistics.karlin = QueryStatistics::Karlin{nb::cast<double>(karlin[0]), nb::cast<double>(karlin[1]),
                                                nb::cast<double>(karlin[2]), nb::cast<double>(karlin[3]),
                                                nb::cast<std::int64_t>(karlin[4])};
  }
  return result;
}

using State = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

// All of the rows but the databases and the scoring, for pickle. The first element is a list with the bytes
// of each column, in the order of kRowColumns, of the identity ranges, and of the offsets and the runs of the
// CIGARs.
State state_of(const Rows& rows) {
  nb::list bytes;
  const auto add = [&](const auto& values) {
    const auto raw = std::as_bytes(std::span(values));
    bytes.append(nb::bytes(raw.data(), raw.size()));
  };
  for_each_span(rows.columns, add);
  add(rows.columns.cigar_offsets);
  add(rows.columns.cigar_runs);
  return nb::borrow<State>(nb::make_tuple(bytes, rows.first_row, statistics_of_queries(rows), rows.statistics,
                                          static_cast<int>(rows.detail), rows.max_evalue,
                                          static_cast<int>(rows.grouping), rows.stranded, rows.significance,
                                          rows.hsps, static_cast<int>(rows.job)));
}

// The number of elements of a state, and the number of columns in the list that is its first element.
constexpr std::size_t kStateParts = 11,
                      kStateColumns = std::tuple_size_v<decltype(kRowColumns)> + kDenominators + 2;

// Throws Error(input) unless the rows of each query lie between its first row and that of the next query.
void check_queries(const Rows& rows) {
  const std::vector<std::uint64_t>& first_row = rows.first_row;
  const std::size_t size = rows.columns.size(), count = rows.queries.size();
  const auto require = [](bool fits) {
    if (!fits) refuse_state("they are not those of their queries");
  };
  require(rows.query_statistics.empty() || rows.query_statistics.size() + 1 == first_row.size());
  if (first_row.empty()) return;
  require(first_row.size() == count + 1 && first_row.front() == 0 && std::ranges::is_sorted(first_row) &&
          first_row.back() == size);
  for (std::size_t query = 0; query < count; ++query)
    for (std::size_t row = first_row[query]; row < first_row[query + 1]; ++row)
      require(rows.columns.query[row] == query);
}

Rows unchecked_rows_of(const State& state, const Database& queries, const Database& subjects,
                       const Scoring& scoring) {
  const auto columns = nb::cast<nb::list>(state[0]);
  if (columns.size() != kStateColumns) refuse_state("columns are missing");
  OwnedColumns made;
  std::size_t place = 0;
  made.for_each_array([&](auto& values) {
    const auto bytes = nb::cast<nb::bytes>(columns[place++]);
    using Value = typename std::decay_t<decltype(values)>::value_type;
    if (bytes.size() % sizeof(Value) != 0) refuse_state("a column ends in the middle of a value");
    values.resize(bytes.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.c_str(), bytes.size());
  });
  const int detail = nb::cast<int>(state[4]), grouping = nb::cast<int>(state[6]),
            job = nb::cast<int>(state[10]);
  if (detail < 0 || detail > static_cast<int>(Detail::alignment) || grouping < 0 || grouping > 1 || job < 0 ||
      job > static_cast<int>(ReportedJob::all_pairs))
    refuse_state("a word is unknown");
  return {.columns = made.finish(),
          .first_row = nb::cast<std::vector<std::uint64_t>>(state[1]),
          .query_statistics = query_statistics_of(nb::cast<nb::list>(state[2])),
          .statistics = nb::cast<std::string>(state[3]),
          .queries = queries,
          .subjects = subjects,
          .scoring = scoring,
          .detail = static_cast<Detail>(detail),
          .stranded = nb::cast<bool>(state[7]),
          .significance = nb::cast<bool>(state[8]),
          .hsps = nb::cast<bool>(state[9]),
          .max_evalue = nb::cast<std::optional<double>>(state[5]),
          .grouping = static_cast<RowWriter::Grouping>(grouping),
          .job = static_cast<ReportedJob>(job)};
}

// The rows of a state that state_of() made. Throws Error(input) if the state is damaged or does not fit the
// databases.
Rows rows_of_state(const State& state, const Database& queries, const Database& subjects,
                   const Scoring& scoring) {
  if (state.size() != kStateParts) refuse_state("they lack something");
  const AlphabetKind alphabet = scoring.matrix.alphabet();
  if (queries.alphabet() != alphabet || subjects.alphabet() != alphabet)
    refuse_state("their sequences have another alphabet than their scoring");
  try {
    Rows rows = unchecked_rows_of(state, queries, subjects, scoring);
    const bool significance = !rows.columns.evalue.empty();
    if (significance && !rows.significance) refuse_state("they have columns that they should not have");
    const RowShape shape{
        .detail = rows.detail, .strands = rows.stranded, .significance = significance, .hsps = rows.hsps};
    try {
      check_rows(rows.columns, shape, scoring, queries.sequences(), subjects.sequences());
    } catch (const Error& error) {
      refuse_state(error.what());
    }
    check_queries(rows);
    return rows;
  } catch (const nb::cast_error&) {
    refuse_state("a value has another type");
  } catch (const nb::python_error&) {
    refuse_state("a value has another type");
  }
}

}  // namespace

void bind_results(nb::module_& module) {
  nb::list names;
  for_each_row_column([&](const auto& column) { names.append(column.name); });
  module.attr("row_columns") = names;
  constexpr auto kArray = nb::rv_policy::automatic;  // arrays keep their owner alive by themselves
  nb::class_<Rows>(module, "Rows")
      .def("__len__", [](const Rows& self) { return self.columns.size(); })
      .def_ro("statistics", &Rows::statistics)
      .def_ro("queries", &Rows::queries)
      .def_ro("subjects", &Rows::subjects)
      .def_ro("scoring", &Rows::scoring)
      .def_ro("max_evalue", &Rows::max_evalue)
      .def_prop_ro("detail", [](const Rows& self) { return word_of(self.detail); })
      .def_prop_ro(
          "first_row",
          [](nb::handle self) { return view(std::span<const std::uint64_t>(rows_of(self).first_row), self); },
          kArray)
      .def("column", &column, nb::arg("name"),
           nb::sig("def column(self, name: str) -> numpy.typing.NDArray[typing.Any] | None"))
      .def("identity", &identity, nb::arg("denominator"))
      .def("coverage", &coverage, nb::arg("of"))
      .def("identity_range", &identity_range, nb::arg("denominator"))
      .def("cigar", &cigar, nb::arg("index"))
      .def_prop_ro(
          "has_cigars",
          [](const Rows& self) { return self.columns.cigar_offsets.size() == self.columns.size() + 1; })
      .def_prop_ro(
          "cigar_offsets", [](nb::handle self) { return view(rows_of(self).columns.cigar_offsets, self); },
          kArray)
      .def_prop_ro("cigar_runs", &packed_runs, kArray)
      .def(
          "selected",
          [](const Rows& self, const Array<std::int64_t>& numbers) {
            return selected(self, span_of(numbers));
          },
          nb::arg("numbers"))
      .def("alone", &alone, nb::arg("number"))
      .def("state", &state_of)
      .def_static("of_state", &rows_of_state, nb::arg("state"), nb::arg("queries"), nb::arg("subjects"),
                  nb::arg("scoring"));
}

}  // namespace alnus::python
