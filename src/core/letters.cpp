#include "alnus/letters.h"

#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus {
namespace {

// A record of any length may have so many signs or digits. A set with fewer foreign letters is not taken for
// proteins.
constexpr std::uint64_t kFew = 3;

constexpr ByteKind classify(char byte) {
  const char upper = byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte;
  if ((upper >= 'A' && upper <= 'Z') || byte == '*' || byte == '?') return ByteKind::residue;
  if (byte >= '0' && byte <= '9') return ByteKind::digit;
  if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return ByteKind::blank;
  if (byte == '-' || byte == '.') return ByteKind::gap;
  if (byte == '>' || byte == '@') return ByteKind::marker;
  if (byte == '\'' || byte == '"' || byte == '`' || byte == '<') return ByteKind::quote;
  return byte > ' ' && byte <= '~' ? ByteKind::sign : ByteKind::invalid;
}

constexpr std::array<ByteKind, 256> kKinds = [] {
  std::array<ByteKind, 256> kinds{};
  for (int code = 0; code < 256; ++code) kinds[code] = classify(static_cast<char>(code));
  return kinds;
}();

// Characters in UTF-8 that web pages and word processors write.
struct TypedCharacter {
  std::string_view bytes, name;
};
constexpr TypedCharacter kTyped[] = {{"\xc2\xa0", "a no-break space"},
                                     {"\xe2\x80\xaf", "a no-break space"},
                                     {"\xe2\x80\x89", "a thin space"},
                                     {"\xe2\x80\x8b", "a zero-width space"},
                                     {"\xe2\x81\xa0", "a word joiner"},
                                     {"\xef\xbb\xbf", "a byte order mark"},
                                     {"\xc2\xad", "a soft hyphen"},
                                     {"\xe2\x80\x90", "a hyphen that is no '-'"},
                                     {"\xe2\x80\x91", "a hyphen that is no '-'"},
                                     {"\xe2\x80\x93", "a dash"},
                                     {"\xe2\x80\x94", "a dash"},
                                     {"\xe2\x88\x92", "a minus sign that is no '-'"},
                                     {"\xe2\x80\xa6", "an ellipsis"},
                                     {"\xe2\x80\x98", "a quotation mark"},
                                     {"\xe2\x80\x99", "a quotation mark"},
                                     {"\xe2\x80\x9c", "a quotation mark"},
                                     {"\xe2\x80\x9d", "a quotation mark"},
                                     {"\xe2\x80\x9a", "a quotation mark"},
                                     {"\xe2\x80\x9e", "a quotation mark"},
                                     {"\xc2\xab", "a quotation mark"},
                                     {"\xc2\xbb", "a quotation mark"},
                                     {"\xc2\xb7", "a middle dot"},
                                     {"\xe2\x80\xb2", "a prime, as in 5\xe2\x80\xb2"},
                                     {"\xe2\x80\xb3", "a double prime"},
                                     {"\xc2\xb4", "an accent"}};

}  // namespace

ByteKind kind_of(char byte) { return kKinds[static_cast<unsigned char>(byte)]; }

std::string describe_refused(std::string_view text) {
  const char byte = text.front();
  if (byte == '<') return "a '<', which no sequence has. Leave out the tags of a web page, such as <br>";
  if (kind_of(byte) == ByteKind::quote)
    return fmt::format(
        "a quotation mark ({}), which no sequence has. Leave out the marks of ends, as in "
        "5'-ACGT-3', and the quotes of a table's fields",
        byte);
  for (const TypedCharacter& typed : kTyped)
    if (text.starts_with(typed.bytes))
      return fmt::format(
          "{}, which no sequence has, but web pages and word processors write. Leave it out, or "
          "save the sequences as plain ASCII text",
          typed.name);
  const auto code = static_cast<unsigned char>(byte);
  const std::string name = byte == '\0' ? "a NUL byte" : fmt::format("the byte 0x{:02x}", code);
  if (code >= 0x80)
    return name +
           " of a character that is no ASCII. Leave the character out, or save the sequences as plain ASCII "
           "text";
  return name + ", which is no letter. The file or text is damaged, or no sequence";
}

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
