// Bindings of all pairs of a set, or of two sets: rows batch by batch, values as arrays, and files.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/session.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "options.h"
#include "results.h"
#include "stream.h"
#include "words.h"

namespace alnus::python {
namespace {

AllPairsOptions options_of(const RowOptions& wanted, const PairFilter& filter, bool self) {
  AllPairsOptions options;
  options.self = self;
  options.detail = wanted.detail;
  options.strands = wanted.strand.value_or(Strands::plus);
  options.filter = filter;
  options.identity_ranges = wanted.identity_ranges;
  options.statistics = wanted.statistics;
  options.significance = wanted.significance;
  return options;
}

// The value of pairs that the word `value` names; empty if no word is given.
std::optional<MatrixValue> matrix_value(const Words& value, const std::string& denominator) {
  if (!value) return std::nullopt;
  return MatrixValue{parse_word<PairValue>("value", *value),
                     parse_word<Denominator>("denominator", denominator)};
}

// Starts all pairs as a stream of batches of rows. Indices in rows count sequences in the order of their
// files.
std::unique_ptr<RowStream> stream(Session& session, const Database& set,
                                  const std::optional<Database>& against, const Scoring& scoring,
                                  const RowOptions& wanted, const PairFilter& filter, bool self,
                                  std::uint32_t top_k, const Words& value, const std::string& denominator) {
  AllPairsOptions options = options_of(wanted, filter, self);
  options.top_k = top_k;
  options.value = matrix_value(value, denominator);
  return std::make_unique<RowStream>([=, &session](const RowStream::Take& take, const RunControl& run) {
    const Database queries = set.in_file_order();
    const Database subjects = against ? against->in_file_order() : queries;
    PairSink sink;
    sink.rows = [&](const Columns& columns, const std::string& statistics) {
      take({.columns = columns,
            .statistics = statistics,
            .queries = queries,
            .subjects = subjects,
            .scoring = scoring,
            .detail = wanted.detail,
            .stranded = options.strands != Strands::plus,
            .significance = wanted.significance,
            .max_evalue = filter.evalue,
            .grouping = options.top_k > 0 ? RowWriter::Grouping::by_query : RowWriter::Grouping::apart,
            .job = ReportedJob::all_pairs});
    };
    if (against)
      session.all_pairs(queries, subjects, scoring, options, sink, run);
    else
      session.all_pairs(queries, scoring, options, sink, run);
  });
}

// The array of all values, which is filled stripe by stripe: in SciPy's condensed order for one set, a
// rectangle for two sets.
class Values {
 public:
  Values(std::size_t rows, std::size_t columns, bool one_set)
      : rows_(rows),
        columns_(columns),
        one_set_(one_set),
        array_(one_set ? rows * (rows - (rows > 0 ? 1 : 0)) / 2 : rows * columns, "The values of all pairs") {
  }

  // Puts the values of a stripe, divided by `unit`, into the array.
  void take(const ValueStripe& stripe, double unit) {
    if (unit == 1)
      place(stripe, std::identity{});
    else
      place(stripe, [unit](double value) { return value / unit; });
  }

  Numbers finish() {
    return one_set_ ? array_.finish({rows_ * (rows_ - (rows_ > 0 ? 1 : 0)) / 2})
                    : array_.finish({rows_, columns_});
  }

 private:
  template <class Convert>
  void place(const ValueStripe& stripe, const Convert& convert) {
    if (!one_set_) {
      for (std::uint32_t row = stripe.rows.begin; row < stripe.rows.end; ++row) {
        double* const to = array_.data() + std::size_t{row} * columns_ + stripe.columns.begin;
        std::ranges::transform(stripe.row(row), to, convert);
      }
      return;
    }
    // A stripe has its values row by row, the condensed order has them column by column. The loop goes
    // through the stripe in squares of kTile rows and columns, so that what it reads and what it writes stay
    // in the cache.
    constexpr std::uint32_t kTile = 32;
    for (std::uint32_t top = stripe.rows.begin; top < stripe.rows.end; top += kTile) {
      const std::uint32_t bottom = std::min(stripe.rows.end, top + kTile);
      for (std::uint32_t left = stripe.columns.begin; left < std::min(stripe.columns.end, bottom);
           left += kTile)
        for (std::uint32_t column = left; column < std::min({stripe.columns.end, left + kTile, bottom});
             ++column) {
          const std::size_t i = column;
          double* const of_column = array_.data() + i * (2 * rows_ - i - 1) / 2;
          for (std::uint32_t row = std::max(top, column + 1); row < bottom; ++row)
            of_column[row - column - 1] = convert(stripe.row(row)[column - stripe.columns.begin]);
        }
    }
  }

  std::size_t rows_, columns_;
  bool one_set_;
  NewArray<double> array_;
};

AllPairsOptions options_of_values(const std::string& value, const std::string& denominator,
                                  const Words& strand) {
  AllPairsOptions options;
  options.value = matrix_value(value, denominator);
  options.strands = chosen<Strands>("strand", strand).value_or(Strands::plus);
  options.significance = false;
  return options;
}

// The number by which values of the library are divided for Python, where identities are from 0 to 1. The
// library has them in percent.
double unit_of(const AllPairsOptions& options) {
  return options.value->kind == PairValue::identity ? 100 : 1;
}

void run_all_pairs(Session& session, const Database& set, const std::optional<Database>& against,
                   const Scoring& scoring, const AllPairsOptions& options, const PairSink& sink,
                   const Listeners& listeners) {
  follow(listeners, [&](const RunControl& run) {
    return against ? session.all_pairs(set, *against, scoring, options, sink, run)
                   : session.all_pairs(set, scoring, options, sink, run);
  });
}

Numbers values(Session& session, const Database& set, const std::optional<Database>& against,
               const Scoring& scoring, const std::string& value, const std::string& denominator,
               const Words& strand, const Listeners& listeners) {
  const AllPairsOptions options = options_of_values(value, denominator, strand);
  Values array(set.size(), against ? against->size() : set.size(), !against);
  PairSink sink;
  sink.values = [&](const ValueStripe& stripe) { array.take(stripe, unit_of(options)); };
  run_all_pairs(session, set, against, scoring, options, sink, listeners);
  return array.finish();
}

// The row, the column and the value of each pair in the result of sparse_values().
using SparseColumns = std::tuple<Column<std::uint32_t>, Column<std::uint32_t>, Column<double>>;

// The pairs whose value passes the cutoff. `cutoff`: in the library's units (identities in percent); only
// with `top_k` it may be empty, and every value passes then. If `top_k` is not 0, returns only those of the
// pairs that are among the nearest `top_k` of their row.
SparseColumns sparse_values(Session& session, const Database& set, const std::optional<Database>& against,
                            const Scoring& scoring, const std::string& value, const std::string& denominator,
                            std::optional<double> cutoff, std::uint32_t top_k, const Words& strand,
                            const Listeners& listeners) {
  AllPairsOptions options = options_of_values(value, denominator, strand);
  options.cutoff = cutoff;
  options.top_k = top_k;
  std::vector<std::uint32_t> rows, columns;
  std::vector<double> numbers;
  PairSink sink;
  sink.sparse = [&](const SparseValues& some) {
    rows.insert(rows.end(), some.row.begin(), some.row.end());
    columns.insert(columns.end(), some.column.begin(), some.column.end());
    for (const double number : some.value) numbers.push_back(number / unit_of(options));
  };
  run_all_pairs(session, set, against, scoring, options, sink, listeners);
  return {owned(std::move(rows)), owned(std::move(columns)), owned(std::move(numbers))};
}

Fields summary_of(const AllPairsSummary& summary) {
  Fields fields;
  fields["pairs"] = summary.pairs;
  fields["cells"] = summary.cells;
  fields["listed"] = summary.listed;
  fields["filtered"] = summary.filtered;
  fields["empty"] = summary.empty;
  fields["edges"] = summary.edges;
  fields["first_row"] = summary.first_row;
  fields["finished_before"] = summary.finished_before;
  fields["statistics"] = summary.statistics;
  fields["seconds"] = summary.seconds;
  return fields;
}

Fields write_files(Session& session, const Database& set, const std::optional<Database>& against,
                   const std::optional<Database>& added, const Scoring& scoring, const RowOptions& wanted,
                   const PairFilter& filter, bool self, std::uint32_t top_k, const Words& value,
                   const std::string& denominator, const Fields& files, const Listeners& listeners) {
  PairCall call = pair_call(wanted, filter, self, top_k, value, denominator, files);
  call.files.head = {
      std::string(version()), {}, against ? against->name() : set.name(), wanted.detail, filter.evalue};
  return summary_of(follow(listeners, [&](const RunControl& run) {
    return session.all_pairs(PairInputs{set, against, added}, scoring, call.options, call.files, run);
  }));
}

}  // namespace

PairCall pair_call(const RowOptions& wanted, const PairFilter& filter, bool self, std::uint32_t top_k,
                   const Words& value, const std::string& denominator, const Fields& files) {
  PairCall call{options_of(wanted, filter, self), {}};
  call.options.top_k = top_k;
  call.options.value = matrix_value(value, denominator);
  const auto text = [&](const char* name) {
    return files.contains(name) ? nb::cast<std::string>(files[name]) : std::string();
  };
  PairFiles& wanted_files = call.files;
  wanted_files = with(PairFiles{}, files);
  wanted_files.rows = text("output");
  if (files.contains("format")) wanted_files.format = OutputFormat::parse(text("format"));
  wanted_files.format.header = files.contains("header") && nb::cast<bool>(files["header"]);
  if (files.contains("matrices"))
    for (const auto& [kind, path] : nb::cast<std::map<std::string, std::string>>(files["matrices"]))
      wanted_files.matrices[parse_word<PairValue>("value", kind)] = path;
  wanted_files.checkpoint = text("checkpoint");
  wanted_files.report = text("report");
  if (files.contains("report_size")) wanted_files.report_size = nb::cast<std::uint64_t>(files["report_size"]);
  wanted_files.format.set_needs(call.options);
  // The library takes the matrix of options.value as `matrix`, and matrices of other values as `matrices`.
  const auto chosen_matrix = wanted_files.matrices.find(call.options.value.value_or(MatrixValue{}).kind);
  if (chosen_matrix != wanted_files.matrices.end()) {
    wanted_files.matrix = chosen_matrix->second;
    wanted_files.matrices.erase(chosen_matrix);
  }
  return call;
}

void bind_all_pairs(nb::module_& module) {
  bind_options(module);
  nb::class_<RowStream>(module, "RowStream")
      .def("next", &RowStream::next, nb::arg("listeners"))
      .def("close", &RowStream::close);
  module.def("stream", &stream, nb::arg("session"), nb::arg("set"), nb::arg("against").none(),
             nb::arg("scoring"), nb::arg("options"), nb::arg("filter"), nb::kw_only(), nb::arg("self"),
             nb::arg("top_k"), nb::arg("value").none(), nb::arg("denominator"), nb::keep_alive<0, 1>());
  module.def("values", &values, nb::arg("session"), nb::arg("set"), nb::arg("against").none(),
             nb::arg("scoring"), nb::kw_only(), nb::arg("value"), nb::arg("denominator"),
             nb::arg("strand").none(), nb::arg("listeners"));
  module.def("sparse_values", &sparse_values, nb::arg("session"), nb::arg("set"), nb::arg("against").none(),
             nb::arg("scoring"), nb::kw_only(), nb::arg("value"), nb::arg("denominator"),
             nb::arg("cutoff").none(), nb::arg("top_k"), nb::arg("strand").none(), nb::arg("listeners"));
  module.def("write_all_pairs", &write_files, nb::arg("session"), nb::arg("set"), nb::arg("against").none(),
             nb::arg("added").none(), nb::arg("scoring"), nb::arg("options"), nb::arg("filter"),
             nb::kw_only(), nb::arg("self"), nb::arg("top_k"), nb::arg("value").none(),
             nb::arg("denominator"), nb::arg("files"), nb::arg("listeners"));
}

}  // namespace alnus::python
