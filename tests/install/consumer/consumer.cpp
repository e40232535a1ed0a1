// What a user of the installed library writes; without warnings as errors and internal headers.
#include <alnus/alignment.h>
#include <alnus/sequence_set.h>

#include <iostream>

int main() {
  alnus::SequenceSetBuilder builder(alnus::AlphabetKind::protein);
  builder.add_text("query", "MKWVTFISLL");
  builder.add_text("subject", "AAMKWVFISLLAA");
  const alnus::SequenceSet set = builder.finish();
  const alnus::Alignment alignment = alnus::align_reference(
      set.residues(0), set.residues(1), alnus::make_scoring({.gap_open = "5"}), alnus::Detail::alignment);
  std::cout << alignment.score << ' ' << alnus::to_string(alignment.cigar) << '\n';
}
