// Places of short sequences by the number of their differences: primers, probes, peptides.
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "alnus/all_pairs.h"
#include "alnus/alphabet.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/scoring.h"
#include "alnus/search.h"

namespace alnus {

inline constexpr std::uint32_t kMostDifferences = 1000;

// The whole query is aligned, anywhere in the subject. Each substitution and each residue in a gap is a
// difference, and the score of an alignment is minus the number of its differences. A letter of the query
// that stands for several (IUPAC's R, Y, ..., N; B, Z, J and X of proteins) is no different from a letter of
// the subject that it stands for.
struct Differences {
  std::optional<std::uint32_t> most{};  // of an alignment; empty: alignments are not chosen by differences
  bool substitutions_only = false;      // no alignment has a gap
};
template <>
inline constexpr std::tuple kOptions<Differences> = {
    CallOption{"max_differences", &Differences::most, Counts{0, kMostDifferences}, "K",
               "Align whole queries, and list all alignments with at most K differences (substitutions and "
               "residues in gaps); this sets mode, scores and --max-hsps all"},
    CallOption{"substitutions_only", &Differences::substitutions_only, "",
               "With --max-differences: without gaps"},
};

// The scoring of these differences: semiglobal, with both ends of the subject free. With substitutions_only
// a gap costs more than `most`. Throws Error(input) if `most` is empty or above kMostDifferences, as set()
// does.
ALNUS_API Scoring scoring_of(const Differences& differences, AlphabetKind alphabet);

// Make the options ask for all alignments with at most so many differences: `min_score` is minus
// Differences::most, `max_hsps` is kAllHsps, and scores are not judged.
ALNUS_API void set(const Differences& differences, SearchOptions& options);
ALNUS_API void set(const Differences& differences, AlignOptions& options);

}  // namespace alnus
