// The two strands of DNA.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

// plus: a query as it was given. minus: its reverse complement.
enum class Strand : std::uint8_t { plus, minus };
ALNUS_API std::string_view to_string(Strand strand);  // "plus" or "minus"

// Which strands of a query are aligned to a subject, which stays as it is (of all pairs: of the longer
// sequence to the other one). both: a pair has one result, on the strand where it scores higher, and on the
// plus strand where both score the same. Proteins have one strand: other choices than plus are Error(input)
// for them.
enum class Strands : std::uint8_t { plus, minus, both };
// Default of a search: both for DNA, plus for proteins.
ALNUS_API Strands default_search_strands(AlphabetKind alphabet);
// Throws Error(input) for strands that sequences of this alphabet do not have. `name` is theirs in the
// message, that of their file, say, or empty. Every call checks that.
ALNUS_API void check_strands(Strands strands, AlphabetKind alphabet, std::string_view name);

// The residue code that pairs with a nucleotide's; IUPAC's codes for several nucleotides stand for the
// complements of them all, so that the complement of N is N. A code outside of the DNA alphabet gives N.
// Keeps kLowerCase.
ALNUS_API Residue complement(Residue nucleotide);
// The complement of each residue, from the last to the first.
ALNUS_API std::vector<Residue> reverse_complement(std::span<const Residue> nucleotides);

}  // namespace alnus
