#include "cli/report.h"

#include <fmt/format.h>

#include "alnus/text.h"

namespace alnus::cli {

std::string summarize(std::uint64_t queries, std::uint64_t subjects, std::uint64_t pairs, std::uint64_t cells,
                      double seconds) {
  return fmt::format("{}, {}, {}, {} cells in {}: {}.", format_count(queries, "query", "queries"),
                     format_count(subjects, "subject", "subjects"), format_count(pairs, "pair", "pairs"),
                     format_cells(static_cast<double>(cells)), format_seconds(seconds),
                     format_speed(static_cast<double>(cells), seconds));
}

std::string summarize_part(const PartOfJob& part, std::uint64_t pairs, std::uint64_t cells, double seconds) {
  return fmt::format("Part {} of {}: {}, {} cells in {}: {}.", part.number, part.count,
                     format_count(pairs, "pair", "pairs"), format_cells(static_cast<double>(cells)),
                     format_seconds(seconds), format_speed(static_cast<double>(cells), seconds));
}

void log_statistics(const std::string& statistics, Log& log) {
  if (!statistics.empty()) log.info(fmt::format("Statistics: {}.", statistics));
}

void warn_of_fallbacks(const SearchSummary& summary, Log& log) {
  if (summary.fallbacks == 0) return;
  log.warning(fmt::format(
      "The scores of {} do not suffice for --stats regression, which takes a query of more than {} "
      "residues and {} subjects of as many, of different lengths: {}.",
      format_count(summary.fallbacks, "query", "queries"), kShortestForRegression,
      format_count(kFewestForRegression),
      summary.has_parameters
          ? fmt::format("their E-values are those of --stats {} --composition none --low-complexity none",
                        to_string(summary.fallback))
          : "they have no E-values"));
}

std::string describe_cost(const Cost& cost, const OutputFormat& format, const SequenceSet& queries,
                          const SequenceSet& subjects) {
  const double bytes = static_cast<double>(cost.rows) * expected_row_bytes(format, queries, subjects) +
                       static_cast<double>(cost.matrix_bytes);
  return fmt::format(
      "queries: {}\nsubjects: {}\npairs: {}\ncells: {}\nexpected seconds: {:.3g} ({})\n"
      "output rows: at most {}\noutput bytes: about {:.0f} ({})\n",
      cost.queries, cost.subjects, cost.pairs, cost.cells, cost.seconds, fmt::join(cost.devices, ", "),
      cost.rows, bytes, format_bytes(bytes));
}

}  // namespace alnus::cli
