// Searches with a matrix of one's own. There are no published statistics for its scores, so they are found by
// simulation, kept in a file, and given to the next session.
//
//   $ custom_scoring data/queries.fasta data/proteins.fasta calibration.json
//   lambda 0.35, 7 hits
#include <alnus/alnus.h>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

namespace {

// A matrix in NCBI's format: 6 for a residue with itself, 1 for residues of the same kind, else -3.
std::string matrix_by_kind() {
  const std::string letters = "ARNDCQEGHILKMFPSTWYV", kinds = "apxxcxxgpiipiwyaawwi";
  std::string text;
  for (const char letter : letters) text += std::string("  ") + letter;
  for (std::size_t a = 0; a < letters.size(); ++a) {
    text += std::string("\n") + letters[a];
    for (std::size_t b = 0; b < letters.size(); ++b)
      text += a == b ? " 6" : kinds[a] == kinds[b] ? " 1" : " -3";
  }
  return text + '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "Usage: custom_scoring QUERIES DATABASE CALIBRATION.json\n";
    return 1;
  }
  const alnus::Scoring scoring = alnus::make_scoring(
      {.matrix = "kinds", .matrix_text = matrix_by_kind(), .gap_open = "9", .gap_extend = "1"});

  {
    alnus::Session session;
    std::ofstream(argv[3]) << session.calibrate(scoring, {.precision = 0.1}).to_json();
  }
  std::ifstream file(argv[3]);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const alnus::Calibration calibration = alnus::Calibration::from_json(text);

  alnus::Session session;
  session.add_calibration(scoring, calibration);
  const auto [queries, database] = session.open_search(argv[1], argv[2]);
  const alnus::Columns hits = session.search(queries, database, scoring, {.evalue = 1e-3}).hits.rows;
  std::printf("lambda %.2f, %zu hits\n", calibration.lambda.value, hits.size());
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
