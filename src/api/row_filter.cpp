#include "api/row_filter.h"

#include <fmt/format.h>

#include "api/options.h"
#include "core/refuse_input.h"

namespace alnus::api {

void check_filter(const RowFilter& filter, Detail detail) {
  check_numbers(filter);
  if (filter.needs_alignments() && detail != Detail::alignment)
    refuse_input(fmt::format("{}, {} and {} need alignments; choose {} {}.", option("min_identity"),
                             option("min_coverage"), option("min_length"), option("detail"),
                             word_of(Detail::alignment)));
}

bool is_of_own_columns(Denominator denominator) {
  return denominator == Denominator::alignment || denominator == Denominator::ungapped;
}

void warn_of_share(std::string_view name, const std::optional<double>& percent, session::Call& call) {
  if (percent && *percent > 0 && *percent < 1)
    call.warn(fmt::format(
        "{0} {1} means {1} percent, which drops next to nothing. For {2:.10g} percent write {2:.10g}.",
        option(name), *percent, *percent * 100));
}

void warn_of_limits(const RowFilter& filter, const Scoring& scoring, session::Call& call) {
  warn_of_share("min_identity", filter.min_identity, call);
  warn_of_share("min_coverage", filter.min_coverage, call);
  if (scoring.mode == Mode::global && filter.min_coverage.value_or(0) > 0)
    call.warn(fmt::format("A global alignment covers both sequences completely, so that {} drops nothing.",
                          option("min_coverage")));
}

void warn_of_own_columns(const std::string& name, const std::string& filters, const Scoring& scoring,
                         session::Call& call) {
  call.warn(fmt::format(
      "{} is relative to the aligned columns, and a {} alignment may be only a few residues long, also of "
      "unrelated sequences. {} by more than those columns: {} shorter, longer or mean.",
      name, to_string(scoring.mode), filters, option("identity")));
}

std::string add_coverage_or_divide() {
  return fmt::format("Add {} X or {} N, or divide", option("min_coverage"), option("min_length"));
}

void warn_of_filter(const RowFilter& filter, const Scoring& scoring, session::Call& call) {
  warn_of_limits(filter, scoring, call);
  if (scoring.mode != Mode::global && filter.min_identity.value_or(0) > 0 &&
      is_of_own_columns(filter.denominator) && !filter.min_coverage && !filter.min_length)
    warn_of_own_columns(option("min_identity"), add_coverage_or_divide(), scoring, call);
}

}  // namespace alnus::api
