#include "alnus/letters.h"

#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus {
namespace {

constexpr std::uint64_t kFew = 3;  // signs or digits that a record of any length may have

constexpr ByteKind classify(char byte) {
  const char upper = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte;
  if ((upper >= 'A' && upper <= 'Z') || byte == '*' || byte == '?') return ByteKind::residue;
  if (byte >= '0' && byte <= '9') return ByteKind::digit;
  if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return ByteKind::blank;
  if (byte == '-' || byte == '.') return ByteKind::gap;
  if (byte == '>' || byte == '@') return ByteKind::marker;
  return byte > ' ' && byte <= '~' ? ByteKind::sign : ByteKind::invalid;
}

constexpr std::array<ByteKind, 256> kKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (int code = 0; code < 256; ++code) kinds[code] = classify(static_cast<char>(code));
  return kinds;
}();

}  // namespace

ByteKind kind_of(char byte) { return kKinds[static_cast<unsigned char>(byte)]; }

bool is_foreign(char byte, AlphabetKind alphabet) {
  return alphabet == AlphabetKind::dna &&
         std::string_view("EFJLOPQZefjlopqz").find(byte) != std::string_view::npos;
}

std::string wrong_record(const LetterCounts& record) {
  const std::uint64_t letters = record.residues - record.signs;
  if (record.signs > kFew && record.signs * 10 > record.residues)
    return fmt::format("the record has {} and {} that no sequence has. Give a file of sequences.",
                       format_count(letters, "letter", "letters"),
                       format_count(record.signs, "character", "characters"));
  if (record.digits > kFew && record.digits > record.residues)
    return fmt::format(
        "the record has {} and {}: it holds numbers (qualities, colours or a table), and no sequence. Give a "
        "file of sequences.",
        format_count(letters, "letter", "letters"), format_count(record.digits, "digit", "digits"));
  return {};
}

bool has_digit_in_word(std::string_view text) {
  const auto is_of_word = [](ByteKind kind) { return kind == ByteKind::residue || kind == ByteKind::sign; };
  for (std::size_t i = 1; i < text.size(); ++i) {
    const ByteKind first = kind_of(text[i - 1]), second = kind_of(text[i]);
    if ((first == ByteKind::digit && is_of_word(second)) || (is_of_word(first) && second == ByteKind::digit))
      return true;
  }
  return false;
}

bool are_of_proteins(const LetterCounts& letters) {
  return letters.foreign >= kFew && letters.foreign * 10 > letters.residues;
}

void check_foreign(const LetterCounts& set, std::string_view name) {
  if (!are_of_proteins(set)) return;
  throw Error(ErrorKind::input,
              fmt::format("{} of the {} letters of {} are no nucleotides, and would be read as N: it holds "
                          "proteins. Read proteins with {} protein and compare them with proteins. {}.",
                          format_count(set.foreign), format_count(set.residues), name, option("alphabet"),
                          translate_first()));
}

std::string_view translate_first() {
  return "alnus does not translate: to compare genes with proteins, translate the genes first (getorf and "
         "transeq of EMBOSS do), and search with their proteins";
}

std::string alignment_notice(std::string_view name, std::uint64_t records, std::uint64_t columns) {
  return fmt::format(
      "{} looks like an alignment, because all its {} records have {}. alnus takes them as {} sequences "
      "without gaps, each by itself; it aligns neither alignments nor profiles.",
      name, format_count(records), format_count(columns, "column", "columns"), format_count(records));
}

}  // namespace alnus
