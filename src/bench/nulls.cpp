#include "bench/nulls.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

namespace alnus::bench {
namespace {

SplitMixRandom random_of(std::uint64_t seed, FileOrdinal ordinal, std::uint32_t permutation) {
  std::uint64_t key = 0;
  for (const std::uint64_t part :
       {seed, std::uint64_t{static_cast<std::uint32_t>(ordinal)}, std::uint64_t{permutation}})
    key = split_mix(key + kSplitMixStep + part);
  return SplitMixRandom(key);
}

// The pairs of neighbours of a sequence as edges of a graph, whose vertices are the letters. A sequence with
// the same pairs is a path along every edge.
class NeighbourGraph {
 public:
  explicit NeighbourGraph(std::span<const Residue> letters) : successors_(letters.size() - 1) {
    for (const Residue letter : letters.first(successors_.size())) ++begin_[letter + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    auto next = begin_;
    for (std::size_t k = 0; k < successors_.size(); ++k) successors_[next[letters[k]]++] = letters[k + 1];
  }

  // Puts the edges of each letter into the order in which a random path to the letter `last` takes them. The
  // letters' last edges are a random tree towards `last`: all other edges may then come in any order.
  void order(Residue last, SplitMixRandom& random) {
    const std::array<std::uint32_t, kMaxLetters> exits = random_tree(last, random);
    for (Residue letter = 0; letter < kMaxLetters; ++letter) {
      std::span<Residue> edges = std::span(successors_).subspan(begin_[letter], degree(letter));
      if (letter != last && !edges.empty()) {
        std::swap(successors_[exits[letter]], edges.back());
        edges = edges.first(edges.size() - 1);
      }
      permute(edges, random);
    }
  }

  // Writes the path that begins with letters[0].
  void walk(std::span<Residue> letters) const {
    auto next = begin_;
    for (std::size_t k = 1; k < letters.size(); ++k) letters[k] = successors_[next[letters[k - 1]]++];
  }

 private:
  std::uint32_t degree(Residue letter) const { return begin_[letter + 1] - begin_[letter]; }

  // A random one of all trees of edges that lead from every letter to `root`: for each letter, the place of
  // its edge in successors_. Found by random walks without their loops (Wilson 1996,
  // doi:10.1145/237814.237880).
  std::array<std::uint32_t, kMaxLetters> random_tree(Residue root, SplitMixRandom& random) const {
    std::array<std::uint32_t, kMaxLetters> exits{};
    std::array<bool, kMaxLetters> joined{};
    joined[root] = true;
    for (Residue letter = 0; letter < kMaxLetters; ++letter) {
      if (degree(letter) == 0) continue;
      for (Residue at = letter; !joined[at]; at = successors_[exits[at]])
        exits[at] = begin_[at] + random.below(degree(at));
      for (Residue at = letter; !joined[at]; at = successors_[exits[at]]) joined[at] = true;
    }
    return exits;
  }

  std::vector<Residue> successors_;  // the ends of the edges: those from letter a begin at begin_[a]
  std::array<std::uint32_t, kMaxLetters + 1> begin_{};
};

}  // namespace

void permute_known(std::span<Residue> residues, Residue unknown, SplitMixRandom& random) {
  const auto is_known = [unknown](Residue residue) { return (residue & kCodeMask) != unknown; };
  std::vector<Residue> known;
  known.reserve(residues.size());
  std::ranges::copy_if(residues, std::back_inserter(known), is_known);
  permute(std::span(known), random);
  auto next = known.begin();
  for (Residue& residue : residues)
    if (is_known(residue)) residue = *next++;
}

void shuffle_dinucleotides(std::span<Residue> residues, SplitMixRandom& random) {
  if (residues.empty()) return;
  for (Residue& residue : residues) residue &= kCodeMask;
  NeighbourGraph graph(residues);
  graph.order(residues.back(), random);
  graph.walk(residues);
}

SequenceSet null_database(const SequenceSet& source, Null null, std::uint64_t seed, std::uint32_t permutation,
                          ThreadPool& threads) {
  if (null == Null::none) return source;
  struct Owned {
    SequenceSet source;
    std::vector<Residue> residues;
  };
  SequenceSet::Arrays arrays = source.arrays();
  const auto owned = std::make_shared<Owned>(Owned{source, {arrays.residues.begin(), arrays.residues.end()}});
  const Residue unknown = Alphabet::of(source.alphabet()).encode('?');
  constexpr std::size_t kBlock = 256;  // sequences that a thread takes at a time
  threads.for_each((source.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    for (std::size_t i = block * kBlock; i < std::min<std::size_t>((block + 1) * kBlock, source.size());
         ++i) {
      const auto index = static_cast<SequenceSet::Index>(i);
      const std::span<Residue> residues =
          std::span(owned->residues).subspan(arrays.offsets[i], source.length(index));
      SplitMixRandom random = random_of(seed, source.file_ordinal(index), permutation);
      if (null == Null::permuted) permute_known(residues, unknown, random);
      if (null == Null::reversed) std::ranges::reverse(residues);
      if (null == Null::dinucleotides) shuffle_dinucleotides(residues, random);
    }
  });
  arrays.residues = owned->residues;
  return SequenceSet(source.alphabet(), arrays, owned, source.origin());
}

}  // namespace alnus::bench
