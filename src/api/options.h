// Option values of several calls, checked and scaled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "alnus/database.h"
#include "alnus/scoring.h"
#include "alnus/search.h"

namespace alnus::api {

class Call;

// The smallest score in units of 1/scale that is not below `min_score`, which is in the matrix' units. The
// number is taken as the decimal that it is written as: 0.1 is a tenth.
std::int32_t scaled_min_score(double min_score, int scale);

// Throws Error(input) for an E-value below 0 or none.
void check_evalue(double evalue);

// Throws Error(input) where the sequences are of another alphabet than the scoring's matrix.
void check_alphabet(const Scoring& scoring, const Database& sequences);
// The same for both inputs, and what api/inputs.h says of two inputs.
void check_sequences(const Database& queries, const Database& subjects, const Scoring& scoring, Call& call);

// The strands that a call aligns. Throws Error(input) if these are not all plus and the scoring is not one of
// DNA; the message names the queries.
Strands checked_strands(Strands strands, const Scoring& scoring, const Database& queries);
// Those of a search, both of DNA where nothing is chosen.
Strands strands_of_search(const SearchOptions& options, const Scoring& scoring, const Database& queries);

// Throws Error(input) for options of a search that are out of range or contradict each other.
void check(const SearchOptions& options);
// Throws Error(input) for a filter by E-values that the statistics, which are right in themselves, do not
// tell.
void check_filter(const SearchOptions& options);
// Whether significance is in the result or filters, so that parameters are worth a calibration.
bool wants_statistics(const SearchOptions& options);

// The denominators without repetitions: there is one column of ranges for each.
std::vector<Denominator> each_once(const std::vector<Denominator>& denominators);

// The cells of those pairs whose sequences there are.
std::uint64_t cells_of(const Database& queries, const Database& subjects, std::span<const IndexPair> pairs);

}  // namespace alnus::api
