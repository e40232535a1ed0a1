// Removes sequences so that graphs can be split, and prints what that cost and how long it took. Reads
// problems from standard input, each a line "VERTICES EDGES SUBSETS LOWEST HIGHEST" and then a line "A B" for
// each edge. Prints a line for each: the number of removed vertices (-1 if no split was found), the lower
// bound, seconds, and the sizes of the subsets. bench/removal.py makes problems and judges the answers.
//
//     removal SEED [WORK] < PROBLEMS
#include "graph/removal.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  using namespace alnus::graph;
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t work = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  unsigned vertices = 0, edge_count = 0, subsets = 0;
  unsigned long lowest = 0, highest = 0;
  while (std::scanf("%u %u %u %lu %lu", &vertices, &edge_count, &subsets, &lowest, &highest) == 5) {
    std::vector<Edge> edges(edge_count);
    for (Edge& edge : edges)
      if (std::scanf("%u %u", &edge.a, &edge.b) != 2) return 1;
    const Graph graph(vertices, edges);
    const std::vector<std::uint64_t> ones(vertices, 1);
    const std::vector<Bounds> bounds(subsets, Bounds{lowest, highest});
    const auto begin = std::chrono::steady_clock::now();
    const auto found = remove_to_split({graph, ones, ones, bounds}, seed, work);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%ld %ld %.2f", found ? static_cast<long>(found->cost) : -1,
                found ? static_cast<long>(found->lower_bound) : -1, seconds.count());
    if (found)
      for (const std::uint64_t size : found->sizes) std::printf(" %lu", static_cast<unsigned long>(size));
    std::printf("\n");
    std::fflush(stdout);
  }
}
