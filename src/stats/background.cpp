#include "stats/background.h"

#include "alnus/alphabet.h"
#include "core/embedded.h"
#include "stats/table.h"

namespace alnus::stats {

std::vector<double> background_frequencies(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::dna) return std::vector<double>(4, 0.25);
  std::vector<double> frequencies(20);
  for (const auto& row : table_rows(embedded_text("stats/background.tsv")))
    frequencies.at(Alphabet::of(alphabet).encode(row[0][0])) = number(row[1]);
  return frequencies;
}

std::map<std::int32_t, double> score_probabilities(const SubstitutionMatrix& matrix,
                                                   const std::vector<double>& frequencies) {
  std::map<std::int32_t, double> result;
  for (std::size_t a = 0; a < frequencies.size(); ++a)
    for (std::size_t b = 0; b < frequencies.size(); ++b)
      result[matrix.value(static_cast<Residue>(a), static_cast<Residue>(b))] +=
          frequencies[a] * frequencies[b];
  return result;
}

}  // namespace alnus::stats
