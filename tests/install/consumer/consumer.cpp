// What a user of the installed library writes; without internal headers and warnings as errors.
#include <alnus/search.h>
#include <iostream>

int main() {
  const alnus::Scoring scoring = alnus::make_scoring({.gap_open = "5"});
  const alnus::Alignment alignment = alnus::align("MKWVTFISLL", "AAMKWVFISLLAA", scoring);
  std::cout << alignment.score << ' ' << alnus::to_string(alignment.cigar);

  alnus::SequenceSetBuilder builder(alnus::AlphabetKind::protein);
  builder.add_text("one", "MKWVTFISLL");
  builder.add_text("two", "AAMKWVFISLLAA");
  const alnus::SequenceSet set = builder.finish();
  for (const alnus::SearchHit& hit : alnus::search(set, set, scoring, {.min_score = 1})) {
    std::cout << ' ' << hit.query << hit.subject << '=' << hit.alignment.score;
  }
  std::cout << '\n';
}
