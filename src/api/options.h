// Option values of several calls, checked and scaled.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "alnus/scoring.h"
#include "alnus/search.h"
#include "session/call.h"

namespace alnus::api {

// The smallest score in units of 1/scale that is not below `min_score`, which is in the matrix' units. The
// number is taken as the decimal that it is written as: 0.1 is a tenth. Throws Error(input) if it is not
// finite or does not fit 32 bits.
std::int32_t scaled_min_score(double min_score, int scale);

// Throws Error(input) unless the option may have this number. `name`: the option. Scores are not checked
// here, but by scaled_min_score().
void check_number(std::string_view name, const Takes& takes, double value);
// Calls check_number() for each number of kOptions<Options> that is given.
template <class Options>
void check_numbers(const Options& options) {
  for_each_option<Options>([&](const auto& option) {
    using Value = typename std::decay_t<decltype(option)>::Value;
    if constexpr (std::is_arithmetic_v<Value> && !std::is_same_v<Value, bool>)
      if (const std::optional<Value> value = options.*(option.member))
        check_number(option.name, option.takes, static_cast<double>(*value));
  });
}

// Throws Error(input) if the sequences have another alphabet than the scoring's matrix.
void check_alphabet(const Scoring& scoring, const Database& sequences);
// Calls check_alphabet() for each input, and check_alphabets() (api/inputs.h) for both.
void check_sequences(const Database& queries, const Database& subjects, const Scoring& scoring,
                     session::Call& call);

// Returns `strands`. Throws Error(input) if the minus strand is among them and the scoring is not for DNA;
// the message names the queries.
Strands checked_strands(Strands strands, const Scoring& scoring, const Database& queries);
// Throws Error(input) if the call cannot have so many alignments of a pair (SearchOptions::max_hsps).
// `has_lowest`: a lowest score of rows is given.
void check_hsps(std::uint32_t max_hsps, bool has_lowest, Detail detail, const Scoring& scoring);
// The checked strands of a search. If the options choose none: both for DNA, plus for proteins.
Strands strands_of_search(const SearchOptions& options, const Scoring& scoring, const Database& queries);

// The name of an option that is given and limits a number of the statistics (StatisticsLimit), so that it
// filters hits only if there are statistics; empty if no such option is given.
std::string_view judged_limit(const SearchOptions& options);
// Throws Error(input) if the options have a limit of numbers that the statistics do not give. `resolved`: the
// method that the search uses.
void check_filter(const SearchOptions& options, StatisticsMethod resolved);
// True if the results, a filter or a histogram use statistics, or a method was chosen: then a scoring without
// published parameters is worth a calibration.
bool wants_statistics(const SearchOptions& options);

// The denominators without repetitions: there is one column of ranges for each.
std::vector<Denominator> each_once(const std::vector<Denominator>& denominators);

// The cells of all pairs, on all strands that are aligned.
std::uint64_t cells_of(const Database& queries, const Database& database, Strands strands);
// The cells of these pairs, each on one strand. A pair with an index out of range counts 0 cells.
std::uint64_t cells_of(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs);

}  // namespace alnus::api
