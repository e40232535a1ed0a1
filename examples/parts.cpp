// Computes one job in parts: the pairs of all sequences in a file are cut into blocks, and each block is
// computed by a session of its own, as different processes or machines would do it. The parts together are
// the whole.
//
//   $ parts data/proteins.fasta 3
//   rows 0 to 7: 21 pairs, 21 of them with a score above 0
//   rows 7 to 10: 24 pairs, 24 of them with a score above 0
//   rows 10 to 11: 10 pairs, 10 of them with a score above 0
//   The parts are the whole.
#include <alnus/alnus.h>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

using Scores = std::vector<std::int32_t>;

// The scores of a block, or of all pairs, row by row.
Scores compute(const std::string& file, const std::optional<alnus::Block>& block) {
  alnus::Session session;
  Scores scores;
  const auto take = [&](const alnus::Columns& rows, const std::string& /*statistics*/) {
    scores.insert(scores.end(), rows.score.begin(), rows.score.end());
  };
  session.all_pairs(session.open(file), alnus::make_scoring({}),
                    {.block = block, .detail = alnus::Detail::score, .significance = false}, {.rows = take});
  return scores;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "Usage: parts SEQUENCES PARTS\n";
    return 1;
  }
  // A plan follows from the sequences and the number of parts alone. JSON brings it to other processes.
  alnus::Session session;
  const alnus::Database set = session.open(argv[1]);
  const std::string text = alnus::plan_all_pairs(set, false, std::strtoul(argv[2], nullptr, 10)).to_json();

  const alnus::Plan plan = alnus::Plan::from_json(text);
  Scores together;
  for (const alnus::PlannedPart& planned : plan.parts) {
    if (planned.blocks.empty()) continue;  // there are more parts than rows
    const alnus::Block& block = planned.blocks.front();
    const Scores part = compute(argv[1], block);
    std::cout << "rows " << block.rows.begin << " to " << block.rows.end << ": " << planned.pairs
              << " pairs, " << part.size() << " of them with a score above 0\n";
    together.insert(together.end(), part.begin(), part.end());
  }
  const bool same = together == compute(argv[1], {});
  std::cout << (same ? "The parts are the whole.\n" : "The parts differ from the whole.\n");
  return same ? 0 : 1;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
