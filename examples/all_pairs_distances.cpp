// Writes the distances of all pairs of sequences in a file as a NumPy array in SciPy's condensed order, and
// the near pairs as edges of a graph. If a run is interrupted, the same command continues it from the
// checkpoint.
//
//   $ all_pairs_distances data/proteins.fasta distances.npy edges.tsv checkpoint
//   55 pairs were computed from row 0 on.
//   sp|P68871|HBB_HUMAN sp|P02144|MYG_HUMAN 0.754839
//   sp|P68871|HBB_HUMAN sp|P02135|HBB_LITCT 0.503401
//   sp|P02144|MYG_HUMAN sp|P02135|HBB_LITCT 0.785714
//   sp|P68871|HBB_HUMAN sp|P02232|LGB1_VICFA 0.777070
//   tr|A0A0A6IPL0|A0A0A6IPL0_CANAX tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 0.003436
//   sp|P68871|HBB_HUMAN tr|K4G713|K4G713_CALMI 0.716981
//   sp|P02144|MYG_HUMAN tr|K4G713|K4G713_CALMI 0.603896
//   sp|P02135|HBB_LITCT tr|K4G713|K4G713_CALMI 0.753247
//   tr|A8WV37|A8WV37_CAEBR tr|Q8I9R9|Q8I9R9_SARSC 0.784483
//   $ all_pairs_distances data/proteins.fasta distances.npy edges.tsv checkpoint
//   All was done before.
//   sp|P68871|HBB_HUMAN sp|P02144|MYG_HUMAN 0.754839
//   sp|P68871|HBB_HUMAN sp|P02135|HBB_LITCT 0.503401
//   sp|P02144|MYG_HUMAN sp|P02135|HBB_LITCT 0.785714
//   sp|P68871|HBB_HUMAN sp|P02232|LGB1_VICFA 0.777070
//   tr|A0A0A6IPL0|A0A0A6IPL0_CANAX tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 0.003436
//   sp|P68871|HBB_HUMAN tr|K4G713|K4G713_CALMI 0.716981
//   sp|P02144|MYG_HUMAN tr|K4G713|K4G713_CALMI 0.603896
//   sp|P02135|HBB_LITCT tr|K4G713|K4G713_CALMI 0.753247
//   tr|A8WV37|A8WV37_CAEBR tr|Q8I9R9|Q8I9R9_SARSC 0.784483
#include <alnus/alnus.h>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::cerr << "Usage: all_pairs_distances SEQUENCES OUT.npy EDGES.tsv CHECKPOINT\n";
    return 1;
  }
  alnus::Session session;
  const alnus::PairInputs inputs{.set = session.open(argv[1])};
  const alnus::Scoring scoring = alnus::make_scoring({.mode = "global"});

  // The distance is 1 - identity. The identity is the number of identical residues, divided by the length of
  // the alignment with its gaps.
  alnus::AllPairsOptions options;
  options.value = {alnus::PairValue::distance, alnus::Denominator::alignment};

  alnus::PairFiles files;
  files.matrix = argv[2];
  files.edges = argv[3];
  files.edge_threshold = 0.8;
  files.checkpoint = argv[4];
  const alnus::AllPairsSummary summary = session.all_pairs(inputs, scoring, options, files);
  if (summary.finished_before)
    std::cout << "All was done before.\n";
  else
    std::cout << summary.pairs << " pairs were computed from row " << summary.first_row << " on.\n";
  std::cout << std::ifstream(files.edges).rdbuf();
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
