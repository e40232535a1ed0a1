// Queries for the device: their codes and their profiles. A profile has the scores of each letter with all
// residues of the query (Rognes & Seeberg 2000).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/matrix.h"

namespace alnus::cuda::papers {

// The query's codes, without lower case.
std::vector<Residue> codes_of(std::span<const Residue> query);

// Why the matrix' scores do not fit signed bytes, as a sentence about the method; empty if they fit.
std::string too_large_for_bytes(std::string_view method, const SubstitutionMatrix& matrix);

// The sequential profile, four scores in a word: byte r % 4 of word [letter * words + r / 4] is the score of
// the query's residue r with the letter, where `words` is a quarter of the query's residues, rounded up.
// Letters are all 32 codes. kPad, and rows beyond the query, score -128.
std::vector<std::uint32_t> packed_profile(std::span<const Residue> query, const SubstitutionMatrix& matrix);

}  // namespace alnus::cuda::papers
