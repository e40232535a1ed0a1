// Takes arbitrary bytes as a substitution matrix: parse() must refuse them with an Error, or return a matrix
// of the given alphabet, all of whose scores lie from lowest() to highest().
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "alnus/error.h"
#include "alnus/matrix.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alnus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    try {
      const SubstitutionMatrix matrix = SubstitutionMatrix::parse(text, "input", kind);
      if (matrix.alphabet() != kind || matrix.scale() < 1 || matrix.lowest() > matrix.highest()) std::abort();
      for (Residue a = 0; a < Alphabet::of(kind).size(); ++a) {
        for (Residue b = 0; b < Alphabet::of(kind).size(); ++b) {
          if (matrix.value(a, b) < matrix.lowest() || matrix.value(a, b) > matrix.highest()) std::abort();
        }
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
