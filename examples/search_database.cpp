// Prints the best hits of each query in a database, as a table with E-values. Both inputs are sequence files
// (FASTA or FASTQ, also compressed) or database files of alnus makedb.
//
//   $ search_database data/queries.fasta data/proteins.fasta
//   sp|P69905|HBA_HUMAN sp|P68871|HBB_HUMAN 285 113.5 bits E = 8.2e-37
//   sp|P69905|HBA_HUMAN sp|P02135|HBB_LITCT 185 75.3 bits E = 5.5e-22
//   sp|P69905|HBA_HUMAN tr|K4G713|K4G713_CALMI 149 60.0 bits E = 5.5e-16
//   sp|P01111|RASN_HUMAN tr|A0A0A6IPL0|A0A0A6IPL0_CANAX 577 214.2 bits E = 9.3e-74
//   sp|P01111|RASN_HUMAN tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 577 214.2 bits E = 9.6e-74
//   sp|P14942|GSTA4_RAT tr|A8WV37|A8WV37_CAEBR 208 81.4 bits E = 9.4e-23
//   sp|P14942|GSTA4_RAT tr|Q8I9R9|Q8I9R9_SARSC 178 71.3 bits E = 7.0e-19
#include <alnus/alnus.h>
#include <cstdio>
#include <iostream>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "Usage: search_database QUERIES DATABASE\n";
    return 1;
  }
  // The session holds the devices and threads of this machine for as long as it lives.
  alnus::Session session(
      {.on_message = [](const alnus::Message& message) { std::cerr << message.text() << '\n'; }});
  const auto [queries, database] = session.open_search(argv[1], argv[2]);

  // The default scoring: proteins, local alignments, BLOSUM62; a gap of k residues costs 11 + k.
  const alnus::Scoring scoring = alnus::make_scoring({});
  const alnus::SearchResult result =
      session.search(queries, database, scoring, {.max_target_seqs = 3, .evalue = 1e-3});

  // Results are columns; row(i) is one hit as a record.
  const alnus::Columns& hits = result.hits.rows;
  for (std::size_t i = 0; i < hits.size(); ++i) {
    const alnus::Row hit = hits.row(i);
    const std::string query(queries.sequences()[hit.query].id());
    const std::string subject(database.sequences()[hit.subject].id());
    std::printf("%s\t%s\t%s\t%.1f bits\tE = %.1e\n", query.c_str(), subject.c_str(),
                scoring.format_score(hit.score).c_str(), *hit.significance.bits, *hit.significance.evalue);
  }
  std::cerr << alnus::format_count(result.summary.pairs) << " pairs in "
            << alnus::format_seconds(result.summary.seconds) << '\n';
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
