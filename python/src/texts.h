// Letters of Python's texts as a set of sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

#include "alnus/database.h"

namespace alnus::python {

namespace nb = nanobind;

// The bytes of a str or of bytes, which live as long as the object. Throws Error(input) for anything else:
// "what[number] is ...".
std::string_view text_of(nb::handle object, std::string_view what, std::size_t number);

struct OddLetters {
  std::uint64_t unknown = 0;        // letters outside the alphabet, which count as X or N
  std::uint32_t first_unknown = 0;  // the first sequence that has one
  std::uint64_t gaps = 0;           // '-' and '.', which are removed
};

// Adds sequences as files are read: without gaps, blanks and digits. What add() throws, Error(input), names
// the element and the byte.
class TextsBuilder {
 public:
  TextsBuilder(AlphabetKind alphabet, const std::string& name)
      : alphabet_(Alphabet::of(alphabet)), name_(name), builder_(alphabet, name) {}
  void add(std::string_view header, std::string_view letters);
  const OddLetters& odd() const { return odd_; }
  // `stated`: the user said what the letters are, so that no call doubts it.
  Database finish(bool stated);

 private:
  const Alphabet& alphabet_;
  const std::string name_;  // of the argument, in errors
  SequenceSetBuilder builder_;
  OddLetters odd_;
  std::string cleaned_;
};

}  // namespace alnus::python
