// Sets of sequences made of letters that Python has in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

#include "alnus/database.h"

namespace alnus::python {

namespace nb = nanobind;

// The bytes of a str (as UTF-8) or of a bytes object. They live as long as the object. Throws Error(input)
// for any other object, with the message "`what`[`number`] is ...".
std::string_view text_of(nb::handle object, std::string_view what, std::size_t number);

// The letters of some texts that did not become residues as they were.
struct OddLetters {
  std::uint64_t unknown = 0;        // letters outside the alphabet, which are read as X or N
  std::uint32_t first_unknown = 0;  // index of the first sequence that has such a letter
  std::uint64_t gaps = 0;           // '-' and '.', which are removed
};

// Makes a set of texts, by the rules by which files are read: gaps, blanks and digits are left out. add()
// throws Error(input) naming the element and the byte for a byte that is no letter.
class TextsBuilder {
 public:
  TextsBuilder(AlphabetKind alphabet, const std::string& name)
      : alphabet_(Alphabet::of(alphabet)), name_(name), builder_(alphabet, name) {}
  void add(std::string_view header, std::string_view letters);
  const OddLetters& odd() const { return odd_; }
  // `stated`: the user has stated the alphabet, so that no call doubts it.
  Database finish(bool stated);

 private:
  const Alphabet& alphabet_;
  const std::string name_;  // the argument's name, for messages
  SequenceSetBuilder builder_;
  OddLetters odd_;
  std::string cleaned_;
};

}  // namespace alnus::python
