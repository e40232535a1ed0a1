// Queries for the device: their codes, and profiles, which are the scores of a residue with all of the query,
// precomputed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/matrix.h"

namespace alnus::cuda {

// Without lower case.
std::vector<Residue> codes_of(std::span<const Residue> query);

// Why the matrix' scores are none of a byte, as a sentence about the method; empty if they are.
std::string too_large_for_bytes(std::string_view method, const SubstitutionMatrix& matrix);

// Sequential, packed by four: byte r % 4 of word [letter * words + r / 4] is the score of the query's residue
// r with the letter; `words` = ceil(query / 4), letters are all 32 codes. kPad, and rows beyond the query,
// score -128.
std::vector<std::uint32_t> packed_profile(std::span<const Residue> query, const SubstitutionMatrix& matrix);

}  // namespace alnus::cuda
