// Bindings of searches, and of alignments of given pairs.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alnus/row_columns.h"
#include "alnus/session.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "options.h"
#include "results.h"
#include "texts.h"

namespace alnus::python {

std::vector<IndexPair> pairs_of(const PairArray& array) {
  std::vector<IndexPair> pairs(array.shape(0));
  for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {array(k, 0), array(k, 1)};
  return pairs;
}

namespace {

// The most cells of a pair that align_two() aligns on the thread that calls, without the GIL. That thread
// does not look for signals meanwhile, for some hundredths of a second.
constexpr std::uint64_t kQuickCells = 50'000'000;

Fields summary_of(const SearchSummary& summary) {
  Fields fields;
  fields["queries"] = summary.queries;
  fields["pairs"] = summary.pairs;
  fields["cells"] = summary.cells;
  fields["hits"] = summary.hits;
  fields["left_out"] = summary.left_out;
  fields["cut_ties"] = summary.cut_ties;
  fields["cut_tie_ids"] = summary.cut_tie_ids;
  fields["without_hits"] = summary.without_hits;
  fields["without_hits_ids"] = summary.without_hits_ids;
  fields["full_queries"] = summary.limit.full_queries;
  fields["full_query_ids"] = summary.limit.full_query_ids;
  fields["fallbacks"] = summary.fallbacks;
  fields["statistics"] = summary.statistics;
  fields["seconds"] = summary.seconds;
  return fields;
}

using Counted = std::tuple<std::int32_t, Column<std::uint64_t>, Column<double>, std::uint32_t>;

// The fields of a ScoreHistogram: (lowest score in units of 1/scale, number of pairs by score, expected
// number of pairs by score, stride).
Counted histogram_of(const ScoreHistogram& histogram) {
  return {histogram.lowest, owned(std::vector(histogram.pairs)), owned(std::vector(histogram.expected)),
          histogram.stride};
}

std::tuple<Rows, Fields, std::optional<Counted>> search(Session& session, const Database& queries,
                                                        const Database& database, const Scoring& scoring,
                                                        SearchOptions options, bool score_histogram,
                                                        const Listeners& listeners) {
  options.query_statistics = true;
  options.score_histogram = score_histogram;
  SearchResult result = follow(listeners, [&](const RunControl& run) {
    SearchResult found = session.search(queries, database, scoring, options, run);
    for (const Message& message : messages_of(found.summary)) run.on_message(message);
    return found;
  });
  Rows rows{.columns = std::move(result.hits.rows),
            .first_row = {result.hits.first_row.begin(), result.hits.first_row.end()},
            .query_statistics = std::move(result.hits.query_statistics),
            .statistics = result.summary.statistics,
            .queries = queries,
            .subjects = database,
            .scoring = scoring,
            .detail = options.detail,
            .stranded = options.strands.value_or(default_search_strands(queries.alphabet())) != Strands::plus,
            .significance = true,
            .hsps = options.max_hsps > 1,
            .max_evalue = options.evalue.value_or(kDefaultEvalue),
            .job = ReportedJob::search,
            .summary = std::make_shared<SearchSummary>(result.summary)};
  std::optional<Counted> histogram;
  if (score_histogram) histogram.emplace(histogram_of(result.summary.histogram));
  Fields summary = summary_of(result.summary);
  summary["max_target_seqs"] = options.max_target_seqs;
  return {std::move(rows), std::move(summary), std::move(histogram)};
}

Rows align(Session& session, const Database& queries, const Database& subjects, const PairArray& pairs,
           const Scoring& scoring, const AlignOptions& options, const Listeners& listeners) {
  const std::vector<IndexPair> list = pairs_of(pairs);
  OwnedColumns rows;
  const AlignSummary summary = follow(listeners, [&](const RunControl& run) {
    return session.align(
        queries, subjects, list, scoring, options,
        [&](const Columns& batch, const std::string&) { rows.append(batch); }, run);
  });
  if (list.empty() && options.detail == Detail::alignment) rows.begin_cigars();
  return {.columns = rows.finish(),
          .statistics = summary.statistics,
          .queries = queries,
          .subjects = subjects,
          .scoring = scoring,
          .detail = options.detail,
          .stranded = options.strands != Strands::plus,
          .significance = options.significance,
          .hsps = options.max_hsps > 1};
}

// Aligns two texts, each a str or bytes. A pair of kQuickCells cells or fewer is aligned on the thread that
// calls, a longer one on a thread of its own. Returns the row, the number of letters outside the alphabet,
// the number of gap letters that were removed, and the number of texts with digits beside letters.
std::tuple<Rows, std::uint64_t, std::uint64_t, std::uint64_t> align_two(Session& session, nb::handle query,
                                                                        nb::handle subject,
                                                                        const Scoring& scoring,
                                                                        const std::string& detail,
                                                                        const Listeners& listeners) {
  const Detail wanted = parse_word<Detail>("detail", detail);
  TextsBuilder of_query(scoring.matrix.alphabet(), "a"), of_subject(scoring.matrix.alphabet(), "b");
  of_query.add("query", {}, text_of(query, "a[0]"));
  of_subject.add("subject", {}, text_of(subject, "b[0]"));
  const OddLetters of_a = of_query.odd(), of_b = of_subject.odd();
  const Database one = of_query.finish(true), other = of_subject.finish(true);
  const auto letters_of = [](const Database& database) {
    const Alphabet& alphabet = Alphabet::of(database.alphabet());
    const std::span<const Residue> residues = database.sequences().residues(0);
    std::string letters(residues.size(), '\0');
    std::ranges::transform(residues, letters.begin(),
                           [&](Residue residue) { return alphabet.decode(residue); });
    return letters;
  };
  const std::string a = letters_of(one), b = letters_of(other);
  std::optional<Rows> rows;
  if (std::uint64_t{a.size()} * b.size() <= kQuickCells) {
    const Unlocked unlocked;
    rows.emplace(rows_of_one(session.align(a, b, scoring, wanted), one, other, scoring, wanted));
  } else {
    const std::vector<IndexPair> pair = {{0, 0}};
    AlignOptions options;
    options.detail = wanted;
    Columns columns = follow(listeners, [&](const RunControl& run) {
      return session.align(one, other, pair, scoring, options, run);
    });
    rows.emplace(Rows{.columns = std::move(columns),
                      .queries = one,
                      .subjects = other,
                      .scoring = scoring,
                      .detail = wanted});
  }
  return {std::move(*rows), of_a.unknown + of_b.unknown, of_a.gaps + of_b.gaps, of_a.digits + of_b.digits};
}

}  // namespace

void bind_alignments(nb::module_& module) {
  module.attr("quick_cells") = kQuickCells;
  module.def("search", &search, nb::arg("session"), nb::arg("queries"), nb::arg("database"),
             nb::arg("scoring"), nb::arg("options"), nb::kw_only(), nb::arg("score_histogram"),
             nb::arg("listeners"));
  module.def("align", &align, nb::arg("session"), nb::arg("queries"), nb::arg("subjects"), nb::arg("pairs"),
             nb::arg("scoring"), nb::arg("options"), nb::kw_only(), nb::arg("listeners"));
  module.def("align_two", &align_two, nb::arg("session"), nb::arg("query"), nb::arg("subject"),
             nb::arg("scoring"), nb::arg("detail"), nb::arg("listeners"));
}

}  // namespace alnus::python
