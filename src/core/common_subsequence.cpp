#include "core/common_subsequence.h"

#include <algorithm>
#include <array>
#include <vector>

namespace alnus {

std::int32_t subsequence_unit(const Scoring& scoring) {
  const std::int32_t unit = scoring.matrix.highest();
  const auto is_unit_or_none = [&](std::int32_t score) { return score == unit || score <= 0; };
  const bool is_subsequence = unit > 0 && scoring.open == 0 && scoring.extend == 0 &&
                              std::ranges::all_of(scoring.matrix.values(), is_unit_or_none);
  return is_subsequence ? unit : 0;
}

Scoring subsequence_scoring(AlphabetKind alphabet) {
  std::array<std::int32_t, kMaxLetters * kMaxLetters> values{};
  for (std::size_t code = 0; code < kMaxLetters; ++code) values[code * (kMaxLetters + 1)] = 1;
  Scoring scoring{SubstitutionMatrix::of_values("equal letters", alphabet, 1, values)};
  scoring.open = scoring.extend = 0;
  scoring.mode = Mode::global;
  return scoring;
}

std::int32_t common_subsequence_reference(std::span<const Residue> query, std::span<const Residue> subject,
                                          const SubstitutionMatrix& matrix) {
  std::vector<std::int32_t> above(subject.size() + 1), row(subject.size() + 1);
  for (const Residue q : query) {
    for (std::size_t j = 1; j <= subject.size(); ++j)
      row[j] = matrix.value(q, subject[j - 1]) > 0 ? above[j - 1] + 1 : std::max(above[j], row[j - 1]);
    std::swap(above, row);
  }
  return above.back();
}

}  // namespace alnus
