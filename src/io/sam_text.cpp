#include "io/sam_text.h"

#include <algorithm>
#include <utility>

namespace alnus::io {
namespace {

void append_sam_letters(Text& text, std::span<const Residue> residues, const Alphabet& alphabet) {
  const std::size_t begin = text.size();
  append_letters(text, residues, alphabet);
  std::replace(text.begin() + begin, text.end(), '*', 'X');
}

}  // namespace

void append_read(Text& text, std::span<const Residue> residues, std::string_view quality,
                 const Alphabet& alphabet) {
  append_sam_letters(text, residues, alphabet);
  append(text, residues.empty() ? "*\t" : "\t");
  append(text, quality.empty() ? "*" : quality);
}

std::string reversed(std::string_view quality) { return {quality.rbegin(), quality.rend()}; }

std::int64_t append_md(Text& text, std::span<const CigarRun> cigar, std::span<const Residue> subject,
                       const Alphabet& alphabet) {
  const Residue unknown = alphabet.encode('\0');
  std::int64_t equal = 0, unknown_on_both_sides = 0;
  for (const CigarRun run : cigar) {
    if (run.op() == CigarOp::insertion) continue;
    const std::span<const Residue> residues = subject.first(run.length());
    subject = subject.subspan(run.length());
    if (run.op() == CigarOp::deletion) {
      append(text, std::exchange(equal, 0));
      append(text, '^');
    }
    for (const Residue residue : residues) {
      const Residue code = residue & kCodeMask;  // MD has capital letters
      if (run.op() == CigarOp::equal && code != unknown) {
        ++equal;
        continue;
      }
      if (run.op() != CigarOp::deletion) append(text, std::exchange(equal, 0));
      append_sam_letters(text, {&code, 1}, alphabet);
      unknown_on_both_sides += run.op() == CigarOp::equal;
    }
  }
  append(text, equal);
  return unknown_on_both_sides;
}

}  // namespace alnus::io
