#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <numeric>
#include <tuple>
#include <vector>

#include "alnus/text.h"

namespace alnus {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// The edit distance of Levenshtein (1966), computed one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + !same_letter(a[i - 1], b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

bool begins_with(std::string_view candidate, std::string_view word) {
  return candidate.size() >= word.size() &&
         std::equal(word.begin(), word.end(), candidate.begin(), same_letter);
}

std::size_t letters_of(std::string_view word) {
  return word.size() - static_cast<std::size_t>(std::count(word.begin(), word.end(), '-'));
}

char first_letter(std::string_view word) {
  const std::size_t at = word.find_first_not_of('-');
  return at < word.size() ? word[at] : '\0';
}

template <typename String>
std::string nearest_of(std::string_view word, std::span<const String> candidates) {
  constexpr std::size_t kShortestBeginning = 3, kLettersPerEdit = 3;
  const std::size_t letters = letters_of(word);
  std::string_view best;
  // Candidates that begin with the word come first, then those of fewer edits; of equally many edits those
  // that have the word's first letter come first.
  std::tuple<bool, std::size_t, bool> best_rank;
  for (const std::string_view candidate : candidates) {
    const bool begins = letters >= kShortestBeginning && begins_with(candidate, word);
    const std::size_t distance = edit_distance(word, candidate);
    if (!begins && distance * kLettersPerEdit > std::max(letters, letters_of(candidate))) continue;
    const std::tuple rank(!begins, distance, !same_letter(first_letter(word), first_letter(candidate)));
    if (best.empty() || rank < best_rank) best_rank = rank, best = candidate;
  }
  return std::string(best);
}

template <typename String>
std::string suggestion_of(std::string_view word, std::span<const String> candidates) {
  if (candidates.empty()) return "there is nothing to choose from.";
  const std::string near = nearest(word, candidates);
  return near.empty() ? fmt::format("choose one of {}.", fmt::join(candidates, ", "))
                      : fmt::format("did you mean {}?", near);
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  return nearest_of(word, candidates);
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  return nearest_of(word, candidates);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  return suggestion_of(word, candidates);
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  return suggestion_of(word, candidates);
}

}  // namespace alnus
