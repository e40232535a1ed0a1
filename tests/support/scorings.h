// Scorings from the words of the command line's options.
#pragma once

#include <string>

#include "alnus/scoring.h"

namespace alnus::test {

inline Scoring protein(const std::string& matrix, const std::string& open, const std::string& extend) {
  ScoringOptions options;
  options.matrix = matrix;
  options.gap_open = open;
  options.gap_extend = extend;
  return make_scoring(options);
}

inline Scoring dna(const std::string& match, const std::string& mismatch, const std::string& open,
                   const std::string& extend) {
  ScoringOptions options;
  options.alphabet = AlphabetKind::dna;
  options.match = match;
  options.mismatch = mismatch;
  options.gap_open = open;
  options.gap_extend = extend;
  return make_scoring(options);
}

}  // namespace alnus::test
