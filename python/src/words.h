// The words that Python's arguments have for values of the library's enumerations.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/coverage.h"
#include "alnus/database.h"
#include "alnus/error.h"
#include "alnus/identity.h"
#include "alnus/output.h"
#include "alnus/statistics.h"
#include "alnus/strand.h"
#include "alnus/text.h"

namespace alnus::python {

template <class Value>
struct Word {
  std::string_view word;
  Value value;
};
template <class Value>
Word(std::string_view, Value) -> Word<Value>;

// The value of the word `given`. Throws Error(input) if `words` does not have it; the message names the
// argument and the nearest word.
template <class Value, std::size_t count>
Value value_of(const std::array<Word<Value>, count>& words, std::string_view argument,
               std::string_view given) {
  std::vector<std::string_view> known;
  for (const Word<Value>& one : words) {
    if (one.word == given) return one.value;
    if (!one.word.empty()) known.push_back(one.word);
  }
  throw Error(ErrorKind::input, "There is no " + std::string(argument) + " " + in_quotes(given) + "; " +
                                    suggestion(given, known));
}

// A word that Python hands in, or None.
using Words = std::optional<std::string>;

// The same as value_of(), but empty if no word is given.
template <class Value, std::size_t count>
std::optional<Value> chosen(const std::array<Word<Value>, count>& words, std::string_view argument,
                            const Words& given) {
  if (!given) return std::nullopt;
  return value_of(words, argument, *given);
}

// The word for a value; empty if `words` does not have the value.
template <class Value, std::size_t count>
std::string word_of(const std::array<Word<Value>, count>& words, Value value) {
  for (const Word<Value>& one : words)
    if (one.value == value) return std::string(one.word);
  return {};
}

inline constexpr std::array kDenominatorWords = {
    Word{"alignment", Denominator::alignment}, Word{"ungapped", Denominator::ungapped},
    Word{"shorter", Denominator::shorter},     Word{"longer", Denominator::longer},
    Word{"mean", Denominator::mean},           Word{"end_gaps", Denominator::with_end_gaps}};
inline constexpr std::array kAlphabetWords = {Word{"protein", AlphabetKind::protein},
                                              Word{"dna", AlphabetKind::dna}};
inline constexpr std::array kAlphabetChoices = {
    Word{"", AlphabetChoice::unstated}, Word{"auto", AlphabetChoice::automatic},
    Word{"protein", AlphabetChoice::protein}, Word{"dna", AlphabetChoice::dna}};
inline constexpr std::array kDetailWords = {Word{"score", Detail::score}, Word{"ends", Detail::ends},
                                            Word{"alignment", Detail::alignment}};
inline constexpr std::array kStrandWords = {Word{"plus", Strands::plus}, Word{"minus", Strands::minus},
                                            Word{"both", Strands::both}};
inline constexpr std::array kMethodWords = {
    Word{"spouge", StatisticsMethod::spouge}, Word{"karlin", StatisticsMethod::karlin},
    Word{"regression", StatisticsMethod::regression}, Word{"zvalue", StatisticsMethod::zvalue},
    Word{"none", StatisticsMethod::none}};
inline constexpr std::array kCompositionWords = {
    Word{"adjust", Composition::adjust}, Word{"scale", Composition::scale}, Word{"none", Composition::none}};
inline constexpr std::array kLowComplexityWords = {Word{"statistics", LowComplexity::statistics},
                                                   Word{"none", LowComplexity::none}};
inline constexpr std::array kCountedStrandWords = {Word{"aligned", CountedStrands::aligned},
                                                   Word{"one", CountedStrands::one}};
inline constexpr std::array kSideWords = {Word{"query", ShuffleOptions::Sides::query},
                                          Word{"subject", ShuffleOptions::Sides::subject},
                                          Word{"both", ShuffleOptions::Sides::both}};
inline constexpr std::array kValueWords = {
    Word{"score", PairValue::score}, Word{"identity", PairValue::identity},
    Word{"distance", PairValue::distance}, Word{"score_distance", PairValue::score_distance}};
inline constexpr std::array kMatrixTypeWords = {Word{"float32", MatrixType::float32},
                                                Word{"int32", MatrixType::int32}};
inline constexpr std::array kCoverageWords = {
    Word{"shorter", CoverageOf::shorter}, Word{"longer", CoverageOf::longer},
    Word{"query", CoverageOf::query}, Word{"subject", CoverageOf::subject}, Word{"both", CoverageOf::both}};

inline AlphabetKind alphabet_of(std::string_view word) { return value_of(kAlphabetWords, "alphabet", word); }
inline std::string word_of(AlphabetKind kind) { return word_of(kAlphabetWords, kind); }

inline std::vector<Denominator> denominators_of(const std::vector<std::string>& words,
                                                std::string_view argument) {
  std::vector<Denominator> denominators;
  denominators.reserve(words.size());
  for (const std::string& word : words) denominators.push_back(value_of(kDenominatorWords, argument, word));
  return denominators;
}

inline Masking masking_of(const std::vector<std::string>& kinds) {
  constexpr std::array kMasks = {Word{"lower", &Masking::lower}, Word{"seg", &Masking::seg},
                                 Word{"dust", &Masking::dust}};
  Masking masking;
  for (const std::string& kind : kinds) masking.*value_of(kMasks, "mask", kind) = true;
  return masking;
}

}  // namespace alnus::python
