// Aligns reads with a reference, each on the strand that scores higher, and prints each read in the
// reference's direction.
//
//   $ both_strands GGATCACAGTCTACACTGCTCACTCCAACCC CAGTCTACACTG GGAGTAGCAGTGT GGATCC
//   CAGTCTACACTG plus 7-18 12= CAGTCTACACTG
//   GGAGTAGCAGTGT minus 13-26 8=1D5= ACACTGCTACTCC
//   GGATCC plus 1-5 5= GGATCC
#include <alnus/alnus.h>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  if (argc < 3) {
    std::cerr << "Usage: both_strands REFERENCE READ...\n";
    return 1;
  }
  alnus::SequenceSetBuilder references(alnus::AlphabetKind::dna), reads(alnus::AlphabetKind::dna);
  references.add_text("reference", argv[1]);
  for (int k = 2; k < argc; ++k) reads.add_text(argv[k], argv[k]);
  const alnus::Database reference(references.finish()), queries(reads.finish());

  alnus::ScoringOptions words;
  words.alphabet = alnus::AlphabetKind::dna;
  words.match = "2";
  words.mismatch = "-3";
  const alnus::Scoring scoring = alnus::make_scoring(words);

  // A search aligns both strands of DNA by default; align() and all_pairs() do so if their options say it.
  alnus::Session session({.devices = "cpu"});
  const alnus::SearchResult result =
      session.search(queries, reference, scoring, {.strands = alnus::Strands::both});
  const alnus::Columns& hits = result.hits.rows;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const alnus::Row hit = hits.row(i);
    const alnus::SequenceView read = queries.sequences()[hit.query];
    // The CIGAR runs along the reference. On the minus strand it belongs to the read's reverse complement.
    std::vector<alnus::Residue> residues(read.residues.begin(), read.residues.end());
    if (hit.strand == alnus::Strand::minus) residues = alnus::reverse_complement(residues);
    std::string letters;
    for (const alnus::Residue residue : residues) letters += alnus::Alphabet::dna().decode(residue);
    std::cout << read.id() << '\t' << to_string(hit.strand) << '\t' << hit.subject_begin + 1 << '-'
              << hit.subject_end << '\t' << to_string(hit.cigar) << '\t' << letters << '\n';
  }
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
