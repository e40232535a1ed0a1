#include "stats/composition.h"

#include <algorithm>

#include "stats/background.h"
#include "stats/karlin.h"

namespace alnus::stats {

double worth_of_scores(std::span<const Residue> query, const Scoring& scoring) {
  const Background background = default_background(scoring.matrix.alphabet());
  const Background letters = composition_of(query, scoring.matrix.alphabet());
  if (letters.empty()) return 1;
  const auto usual = ungapped_lambda(pair_scores(scoring.matrix, background, background));
  if (!usual) return 1;
  return std::min(1.0,
                  ungapped_lambda(pair_scores(scoring.matrix, letters, background)).value_or(0) / *usual);
}

}  // namespace alnus::stats
