#include "io/fasta_writer.h"

#include <algorithm>
#include <string>

namespace alnus::io {

void write_fasta(OutputFile& out, const SequenceSet& set,
                 const std::function<bool(SequenceSet::Index)>& is_wanted) {
  constexpr std::size_t kLine = 60, kPiece = 1 << 16;
  const Alphabet& alphabet = Alphabet::of(set.alphabet());
  std::string text;
  for (SequenceSet::Index i = 0; i < set.size(); ++i) {
    if (!is_wanted(i)) continue;
    text += '>';
    text += set[i].header;
    text += '\n';
    const std::span<const Residue> residues = set.residues(i);
    for (std::size_t begin = 0; begin < residues.size(); begin += kLine) {
      for (const Residue residue : residues.subspan(begin, std::min(kLine, residues.size() - begin)))
        text += alphabet.decode(residue);
      text += '\n';
    }
    if (text.size() < kPiece) continue;
    out.write(text);
    text.clear();
  }
  out.write(text);
}

}  // namespace alnus::io
