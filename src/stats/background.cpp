#include "stats/background.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/byte_order_mark.h"
#include "core/embedded.h"

namespace alnus {
namespace {

std::size_t core_letters(AlphabetKind alphabet) { return alphabet == AlphabetKind::protein ? 20 : 4; }

// Returns the next word of a line, and removes it from the line.
std::string_view take_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

Background default_background(AlphabetKind alphabet) {
  if (alphabet == AlphabetKind::dna) return Background(core_letters(alphabet), 1.0 / core_letters(alphabet));
  return parse_background(embedded_text("stats/background.tsv"), "data/stats/background.tsv", alphabet);
}

Background parse_background(std::string_view text, const std::string& origin, AlphabetKind alphabet) {
  Background result(core_letters(alphabet));
  text = without_byte_order_mark(text);
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const std::string_view letter = take_word(line), frequency = take_word(line);
    if (letter.empty() || letter == "residue") continue;
    const auto fail = [&](const std::string& what) {
      throw Error(ErrorKind::input, fmt::format("{} line {}: {}", origin, number, what));
    };
    const Alphabet& letters = Alphabet::of(alphabet);
    const Residue code = letters.encode(letter.front()) & kCodeMask;
    if (letter.size() > 1 || !letters.is_known(letter.front()) || code >= result.size())
      fail(
          fmt::format("{} is not one of {}.", in_quotes(letter), letters.letters().substr(0, result.size())));
    double value = 0;
    const auto [end, error] = std::from_chars(frequency.data(), frequency.data() + frequency.size(), value);
    if (error != std::errc() || end != frequency.data() + frequency.size() || !std::isfinite(value) ||
        value < 0)
      fail(fmt::format("{} is not a frequency.", in_quotes(frequency)));
    if (!take_word(line).empty()) fail("a letter and its frequency are expected, and nothing else.");
    if (result[code] != 0) fail(fmt::format("{} has a frequency already.", in_quotes(letter)));
    result[code] = value;
  }
  const double sum = std::reduce(result.begin(), result.end());
  if (!(sum > 0) || !std::isfinite(sum))
    throw Error(ErrorKind::input,
                fmt::format("{}: the frequencies add up to {}, which makes none of them.", origin, sum));
  for (double& frequency : result) frequency /= sum;
  return result;
}

Background stats::composition_of(std::span<const Residue> residues, AlphabetKind alphabet) {
  Background letters(core_letters(alphabet));
  double counted = 0;
  for (const Residue residue : residues) {
    const Residue code = residue & kCodeMask;
    if (code >= letters.size()) continue;
    ++letters[code];
    ++counted;
  }
  if (counted == 0) return {};
  for (double& letter : letters) letter /= counted;
  return letters;
}

std::map<std::int32_t, double> stats::pair_scores(const SubstitutionMatrix& matrix, const Background& query,
                                                  const Background& subject) {
  std::map<std::int32_t, double> result;
  for (std::size_t a = 0; a < query.size(); ++a)
    for (std::size_t b = 0; b < subject.size(); ++b)
      if (const double p = query[a] * subject[b]; p > 0)
        result[matrix.value(static_cast<Residue>(a), static_cast<Residue>(b))] += p;
  return result;
}

}  // namespace alnus
