// What the bytes of a sequence are, and which records and files are refused because of them. The readers of
// files and programs that take letters from memory share these rules (docs/input.md, "Bytes in a sequence").
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

// What a byte of a sequence is.
enum class ByteKind : std::uint8_t {
  residue,  // a letter, '*' or '?': a residue, which is X (N) if the alphabet does not have the letter
  sign,     // other printable ASCII: read as X (N); a record with many signs is refused
  digit,    // left out, as the numbers of positions; a record that has more digits than residues is refused
  blank,    // left out: blank, tab, vertical tab, form feed, line ends
  gap,      // '-' and '.': left out
  marker,   // '>' and '@': records begin with them, and no sequence has one
  quote,    // ' " ` and '<', of text around a sequence (5'-ACGT-3', a table, a tag): no sequence has one
  invalid   // no text: control bytes, and bytes above 0x7e
};
ALNUS_API ByteKind kind_of(char byte);

// What is wrong with the byte that a text begins with, which is ByteKind::quote or invalid: "a quotation mark
// ('), which no sequence has. Leave out ...". The text goes on behind the byte, because some characters have
// several.
ALNUS_API std::string describe_refused(std::string_view text);

// Counts of bytes in the text of one record, or of many records.
struct LetterCounts {
  std::uint64_t residues = 0;  // bytes that are read as residues, signs among them
  std::uint64_t signs = 0;
  std::uint64_t digits = 0;
  std::uint64_t foreign = 0;  // letters for which is_foreign() is true
};

// True for E, F, J, L, O, P, Q and Z in DNA: letters of proteins that are no code of nucleotides. X and I do
// not count as foreign, because files of DNA have X where something was masked, and I for inosine.
ALNUS_API bool is_foreign(char byte, AlphabetKind alphabet);

// Says in a sentence why the text of a record is no sequence; empty if it may be one. A few signs may be a
// slip, but a record is refused if it has more than three signs and these are more than a tenth of
// LetterCounts::residues, or if it has more than three digits and more digits than residues (qualities,
// colours, tables).
ALNUS_API std::string wrong_record(const LetterCounts& record);

// True if a digit of the text stands beside a letter or a sign, as in MKV1L0G. The number of a position
// stands apart, between blanks or line ends.
ALNUS_API bool has_digit_in_word(std::string_view text);

// True if the letters are those of proteins that are read as DNA: more than a tenth of the residues, and
// three or more, are foreign (is_foreign()). About 28% of the letters of proteins are foreign.
ALNUS_API bool are_of_proteins(const LetterCounts& letters);

// Throws Error(input) naming the set if are_of_proteins() is true of all its letters.
ALNUS_API void check_foreign(const LetterCounts& set, std::string_view name);

// Advice for messages about genes and proteins that come together.
ALNUS_API std::string_view translate_first();

// A warning that the sequences look like the rows of an alignment: `records` of them, all of `columns`
// letters and gaps.
ALNUS_API std::string alignment_notice(std::string_view name, std::uint64_t records, std::uint64_t columns);

}  // namespace alnus
