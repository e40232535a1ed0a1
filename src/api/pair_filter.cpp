#include "api/pair_filter.h"

#include <fmt/format.h>
#include <optional>

#include "alnus/error.h"
#include "api/call.h"
#include "api/options.h"

namespace alnus::api {

void check(const PairFilter& filter) {
  if (filter.evalue) check_evalue(*filter.evalue);
  const auto check_percent = [](const char* name, const std::optional<double>& percent) {
    if (percent && !(*percent >= 0 && *percent <= 100))
      throw Error(ErrorKind::input,
                  fmt::format("{} takes percent from 0 to 100, not {}.", option(name), *percent));
  };
  check_percent("min_identity", filter.min_identity);
  check_percent("min_coverage", filter.min_coverage);
}

engine::ScaledFilter scaled(const PairFilter& filter, int scale) {
  engine::ScaledFilter result{{},
                              filter.min_identity,
                              filter.denominator,
                              filter.evalue,
                              filter.min_coverage,
                              filter.coverage_of,
                              filter.min_length};
  if (filter.min_score) result.min_score = scaled_min_score(*filter.min_score, scale);
  return result;
}

// The identity of a few residues passes a filter as well as that of whole sequences, if it is divided by the
// alignment's own columns and the alignment may leave out the rest.
void warn_of_short_alignments(const Scoring& scoring, const AllPairsOptions& options,
                              const PairWishes& wishes, Call& call) {
  const PairFilter& filter = options.filter;
  if (scoring.mode == Mode::global && filter.min_coverage.value_or(0) > 0)
    call.warn(fmt::format("A global alignment reaches over all of both sequences, so that {} drops nothing.",
                          option("min_coverage")));
  if (scoring.mode == Mode::global || filter.min_coverage || filter.min_length) return;
  const auto own_columns = [](Denominator denominator) {
    return denominator == Denominator::alignment || denominator == Denominator::ungapped;
  };
  const MatrixValue value = options.value.value_or(MatrixValue{});
  const bool by_edges =
      wishes.edge_threshold && value.kind != PairValue::score && own_columns(value.denominator) &&
      (value.kind == PairValue::identity ? *wishes.edge_threshold > 0 : *wishes.edge_threshold < 1);
  const bool by_filter = (wishes.listed || wishes.edge_threshold) && filter.min_identity.value_or(0) > 0 &&
                         own_columns(filter.denominator);
  if (!by_filter && !by_edges) return;
  call.warn(fmt::format(
      "{} counts the columns of an alignment alone, and a {} alignment may be of a few residues. "
      "Add {} X or {} N, or divide by more than those columns: {} end-gaps, shorter, longer or mean.",
      option(by_filter ? "min_identity" : "edge_threshold"), to_string(scoring.mode), option("min_coverage"),
      option("min_length"), option("identity")));
}

}  // namespace alnus::api
