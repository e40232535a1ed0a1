#include "api/options.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

#include "alnus/error.h"
#include "api/inputs.h"
#include "core/aligned_pairs.h"
#include "core/decimal.h"
#include "core/refuse_input.h"
#include "core/strands.h"

namespace alnus::api {

std::int32_t scaled_min_score(double min_score, int scale) {
  double scaled = std::ceil(min_score * scale);
  // The number is taken as a decimal: 0.1 with a scale of 10 is exactly 1, which a product of doubles need
  // not be.
  if (const std::optional<Decimal> decimal = parse_decimal(fmt::format("{}", min_score))) {
    const std::int64_t product = decimal->numerator * scale;
    std::int64_t whole = product / decimal->denominator;
    if (whole * decimal->denominator < product) ++whole;
    scaled = static_cast<double>(whole);
  }
  if (!std::isfinite(scaled))
    refuse_input(
        fmt::format("{} is {}; it takes a number such as 60 or 41.5.", option("min_score"), min_score));
  if (scaled > std::numeric_limits<std::int32_t>::max() || scaled < std::numeric_limits<std::int32_t>::min())
    refuse_input(fmt::format("{} {} is out of the range of scores.", option("min_score"), min_score));
  return static_cast<std::int32_t>(scaled);
}

void check_number(std::string_view name, const Takes& takes, double value) {
  if (const auto* const counts = std::get_if<Counts>(&takes)) {
    if (value < static_cast<double>(counts->least))
      refuse_input(fmt::format("{} is {}; it must be {} or more.", option(name), value, counts->least));
  } else if (const auto* const number = std::get_if<Numbers>(&takes); number && *number == Numbers::percent) {
    if (!(value >= 0 && value <= 100))
      refuse_input(fmt::format("{} takes percent from 0 to 100, not {}.", option(name), value));
  } else if (!number || *number == Numbers::size) {
    if (!std::isfinite(value) || value < 0)
      refuse_input(
          fmt::format("{} takes a number not below 0, such as 10 or 1e-5, not {}.", option(name), value));
  }
}

void check_alphabet(const Scoring& scoring, const Database& sequences) {
  if (sequences.size() == 0 || scoring.matrix.alphabet() == sequences.alphabet()) return;
  refuse_input(fmt::format("The matrix {} is for {}, but {} holds {}.", scoring.matrix.name(),
                           Alphabet::of(scoring.matrix.alphabet()).name(), sequences.name(),
                           Alphabet::of(sequences.alphabet()).name()));
}

void check_sequences(const Database& queries, const Database& subjects, const Scoring& scoring,
                     session::Call& call) {
  check_alphabets(queries, subjects, call);
  check_alphabet(scoring, queries);
  check_alphabet(scoring, subjects);
}

Strands checked_strands(Strands strands, const Scoring& scoring, const Database& queries) {
  check_strands(strands, scoring.matrix.alphabet(), queries.name());
  return strands;
}

void check_hsps(std::uint32_t max_hsps, bool has_lowest, Detail detail, const Scoring& scoring) {
  if (max_hsps <= 1) return;
  const std::string name =
      max_hsps == kAllHsps ? option("max_hsps") + " all" : fmt::format("{} {}", option("max_hsps"), max_hsps);
  if (!has_further_alignments(scoring))
    refuse_input(
        fmt::format("{} is for {} local, and for {} semiglobal where both ends of the subject are free. "
                    "Leave it out, or choose such a mode.",
                    name, option("mode"), option("mode")));
  if (max_hsps == kAllHsps && scoring.mode != Mode::local && !has_lowest)
    refuse_input(
        fmt::format("{} needs {} in {} semiglobal, where every place of the subject has an "
                    "alignment, however low its score.",
                    name, option("min_score"), option("mode")));
  if (detail != Detail::alignment)
    refuse_input(fmt::format("{} needs alignments; choose {} {}.", name, option("detail"),
                             word_of(Detail::alignment)));
}

Strands strands_of_search(const SearchOptions& options, const Scoring& scoring, const Database& queries) {
  return checked_strands(options.strands.value_or(default_search_strands(scoring.matrix.alphabet())), scoring,
                         queries);
}

void check_filter(const SearchOptions& options, StatisticsMethod resolved) {
  if (resolved == StatisticsMethod::none && !options.statistics.method) return;  // a message has said so
  for_each_statistics_limit(options, [&](std::string_view name, const StatisticsLimit& limit, double) {
    if (!gives(resolved, limit.number))
      refuse_input(fmt::format("{} needs {}, and {} {} gives none.", option(name), limit.numbers,
                               option("statistics"), to_string(resolved)));
  });
}

std::string_view judged_limit(const SearchOptions& options) {
  std::string_view found;
  for_each_statistics_limit(options,
                            [&](std::string_view name, const StatisticsLimit&, double) { found = name; });
  return found;
}

bool wants_statistics(const SearchOptions& options) {
  return options.significance || !judged_limit(options).empty() || options.score_histogram ||
         options.statistics.method;
}

std::vector<Denominator> each_once(const std::vector<Denominator>& denominators) {
  std::vector<Denominator> result;
  for (const Denominator denominator : denominators)
    if (std::ranges::find(result, denominator) == result.end()) result.push_back(denominator);
  return result;
}

std::uint64_t cells_of(const Database& queries, const Database& database, Strands strands) {
  return strands_of_each(strands) * queries.sequences().total_residues() *
         database.sequences().total_residues();
}

std::uint64_t cells_of(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs) {
  const SequenceSet &rows = queries.sequences(), &columns = subjects.sequences();
  std::uint64_t cells = 0;
  for (const IndexPair& pair : pairs)
    if (pair.query < rows.size() && pair.subject < columns.size())
      cells += std::uint64_t{rows.length(pair.query)} * columns.length(pair.subject);
  return cells;
}

}  // namespace alnus::api
