// How often the letters occur in the random sequences that statistics are about.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/matrix.h"

namespace alnus::stats {

// By residue code, of the twenty amino acids or ACGT; the sum is 1.
using Background = std::vector<double>;

// Robinson & Robinson (1991) for proteins; all nucleotides equally frequent.
Background default_background(AlphabetKind alphabet);

// Lines of a letter and its frequency, in any unit; '#' begins a comment, "residue frequency" is a header.
// A letter that is not named does not occur. Throws Error(input) naming `origin` and the line.
Background parse_background(std::string_view text, const std::string& origin, AlphabetKind alphabet);

// The probability of each score of a pair of letters, in the matrix' integers.
std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix, const Background& query,
                                           const Background& subject);
inline std::map<std::int32_t, double> pair_scores(const SubstitutionMatrix& matrix,
                                                  const Background& background) {
  return pair_scores(matrix, background, background);
}

}  // namespace alnus::stats
