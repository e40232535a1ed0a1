#include "alnus/differences.h"

#include <array>
#include <fmt/format.h>
#include <span>
#include <string_view>
#include <utility>

#include "alnus/error.h"
#include "core/refuse_input.h"

namespace alnus {
namespace {

// What a letter stands for, where it stands for several letters.
using LettersOf = std::pair<char, std::string_view>;
constexpr std::array kOfDna = {LettersOf{'R', "AG"},  LettersOf{'Y', "CT"},  LettersOf{'K', "GT"},
                               LettersOf{'M', "AC"},  LettersOf{'S', "CG"},  LettersOf{'W', "AT"},
                               LettersOf{'B', "CGT"}, LettersOf{'D', "AGT"}, LettersOf{'H', "ACT"},
                               LettersOf{'V', "ACG"}, LettersOf{'N', "ACGT"}};
constexpr std::array kOfProteins = {LettersOf{'B', "DN"}, LettersOf{'Z', "EQ"}, LettersOf{'J', "IL"},
                                    LettersOf{'X', "ARNDCQEGHILKMFPSTWYVUO"}};

std::string_view letters_of(std::span<const LettersOf> table, const char& letter) {
  for (const auto& [one, letters] : table)
    if (one == letter) return letters;
  return {&letter, 1};
}

// True if the query's letter stands for all that the subject's letter stands for.
bool covers(std::span<const LettersOf> table, const char& query, const char& subject) {
  const std::string_view of_query = letters_of(table, query);
  return letters_of(table, subject).find_first_not_of(of_query) == std::string_view::npos;
}

SubstitutionMatrix unit_costs(AlphabetKind kind) {
  const Alphabet& alphabet = Alphabet::of(kind);
  const std::span<const LettersOf> table = kind == AlphabetKind::dna
                                               ? std::span<const LettersOf>(kOfDna)
                                               : std::span<const LettersOf>(kOfProteins);
  std::array<std::int32_t, kMaxLetters * kMaxLetters> values{};
  values.fill(-1);
  const std::string_view letters = alphabet.letters();
  for (std::size_t query = 0; query < letters.size(); ++query)
    for (std::size_t subject = 0; subject < letters.size(); ++subject)
      if (covers(table, letters[query], letters[subject])) values[query * kMaxLetters + subject] = 0;
  return SubstitutionMatrix::of_values("differences", kind, 1, values);
}

// Returns the most differences. Throws Error(input) if there are none or too many.
std::uint32_t checked_most(const Differences& differences) {
  const std::uint32_t most = differences.most.value_or(kMostDifferences + 1);
  if (most > kMostDifferences)
    refuse_input(
        fmt::format("{} takes a whole number from 0 to {}.", option("max_differences"), kMostDifferences));
  return most;
}

template <class Options>
void ask_for_all(const Differences& differences, Options& options) {
  options.min_score = -static_cast<double>(checked_most(differences));
  options.max_hsps = kAllHsps;
  options.statistics.method = StatisticsMethod::none;
}

}  // namespace

Scoring scoring_of(const Differences& differences, AlphabetKind alphabet) {
  const std::uint32_t most = checked_most(differences);
  Scoring scoring{unit_costs(alphabet)};
  scoring.open = differences.substitutions_only ? static_cast<std::int32_t>(most) : 0;
  scoring.extend = 1;
  scoring.mode = Mode::semiglobal;
  scoring.free_ends = {.subject_begin = true, .subject_end = true};
  return scoring;
}

void set(const Differences& differences, SearchOptions& options) { ask_for_all(differences, options); }
void set(const Differences& differences, AlignOptions& options) { ask_for_all(differences, options); }

}  // namespace alnus
