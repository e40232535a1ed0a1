// The two strands of DNA.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"
#include "alnus/words.h"

namespace alnus {

// plus: a sequence as it was given. minus: its reverse complement.
enum class Strand : std::uint8_t { plus, minus };
template <>
inline constexpr std::array kWords<Strand> = {Word{"plus", Strand::plus}, Word{"minus", Strand::minus}};
ALNUS_API std::string_view to_string(Strand strand);  // "plus" or "minus"

// Which strands of a query are aligned to a subject, whose own strand is always plus. In all pairs, strands
// of the longer sequence are aligned to the other one. both: a pair has one result, on the strand where it
// scores higher, and on the plus strand where both score the same. Proteins have one strand: for them, minus
// and both are Error(input).
enum class Strands : std::uint8_t { plus, minus, both };
template <>
inline constexpr std::array kWords<Strands> = {Word{"plus", Strands::plus}, Word{"minus", Strands::minus},
                                               Word{"both", Strands::both}};
// The default of a search: both for DNA, plus for proteins.
ALNUS_API Strands default_search_strands(AlphabetKind alphabet);
// Throws Error(input) for strands that sequences of this alphabet do not have. `name` is what the message
// calls the sequences, such as the name of their file; it may be empty. Every call makes this check.
ALNUS_API void check_strands(Strands strands, AlphabetKind alphabet, std::string_view name);

// The code of a nucleotide's complement. A code of IUPAC that stands for several nucleotides becomes the one
// that stands for their complements, so that the complement of N is N. A code outside of the DNA alphabet
// becomes N. kLowerCase is kept.
ALNUS_API Residue complement(Residue nucleotide);
// The complement of each residue, from the last residue to the first.
ALNUS_API std::vector<Residue> reverse_complement(std::span<const Residue> nucleotides);

}  // namespace alnus
