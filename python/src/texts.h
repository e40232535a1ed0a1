// Sets of sequences made of letters that Python has in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

#include "alnus/database.h"
#include "alnus/letters.h"

namespace alnus::python {

namespace nb = nanobind;

// Element `number` of the argument `what` in messages: "what[3]", with the id if it has one of its own:
// "what[3] ('P1')".
std::string place_of(std::string_view what, std::size_t number, std::string_view id);

// The bytes of a str (as UTF-8) or of a bytes object. They live as long as the object. Throws Error(input)
// for any other object, with the message "`place` is ...".
std::string_view text_of(nb::handle object, const std::string& place);

// What was odd in the letters of some texts.
struct OddLetters {
  std::uint64_t unknown = 0;        // letters outside the alphabet, which are read as X or N
  std::uint32_t first_unknown = 0;  // index of the first sequence that has such a letter
  std::uint64_t gaps = 0;           // '-' and '.', which are removed
  std::uint64_t digits = 0;         // texts for which has_digit_in_word() is true
  std::uint32_t first_digits = 0;   // index of the first such text
  std::string alignment;            // alignment_notice() if the texts look like an alignment; else empty
};

// Makes a set of texts, by the rules by which files are read (alnus/letters.h): gaps, blanks and digits are
// left out. finish() throws Error(input) for proteins that are read as DNA.
class TextsBuilder {
 public:
  TextsBuilder(AlphabetKind alphabet, const std::string& name)
      : alphabet_(Alphabet::of(alphabet)), name_(name), builder_(alphabet, name) {}
  // Adds a sequence. Its id may have blanks. Throws Error(input) naming the element for a byte that is no
  // letter, for a header of FASTA or FASTQ among the letters, and for a text that is no sequence. A text that
  // is empty, or has blanks or gaps alone, is a sequence of length 0.
  void add(std::string_view id, std::string_view title, std::string_view letters);
  OddLetters odd() const;
  // `stated`: the user has stated the alphabet, so that no call doubts it.
  Database finish(bool stated);

 private:
  [[noreturn]] void fail(const std::string& what) const;

  const Alphabet& alphabet_;
  const std::string name_;  // the argument's name, for messages
  SequenceSetBuilder builder_;
  OddLetters odd_;
  LetterCounts all_;
  std::uint64_t columns_ = 0;  // letters and gaps of the first text
  bool is_alignment_ = true;   // all texts so far have as many letters and gaps
  std::string id_, header_, cleaned_;
};

}  // namespace alnus::python
