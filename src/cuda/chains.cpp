#include "cuda/chains.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "cuda/limits.h"

namespace alnus::cuda {
namespace {

struct Chain {
  std::vector<std::uint32_t> queries;
  std::uint64_t blocks = 0;
};

std::uint64_t blocks_of(std::uint32_t length, int rows) {
  return (length + static_cast<unsigned>(rows) - 1) / static_cast<unsigned>(rows);
}

std::uint32_t passes_of(const Bin& bin, Shape shape) {
  const auto lanes = static_cast<std::uint32_t>(shape.lanes);
  return (bin.blocks + lanes - 1) / lanes;
}

// Gives each query, the longest first, to the chain that is shortest so far (the rule "longest processing
// time first").
std::vector<Chain> spread(std::span<const std::uint32_t> lengths, int rows, std::size_t count) {
  std::vector<Chain> chains(count);
  const auto longer = [](const Chain& a, const Chain& b) {
    return a.blocks > b.blocks;
  };  // the heap has the shortest chain on top
  for (std::uint32_t query = 0; query < lengths.size(); ++query) {
    std::pop_heap(chains.begin(), chains.end(), longer);
    chains.back().queries.push_back(query);
    chains.back().blocks += blocks_of(lengths[query], rows);
    std::push_heap(chains.begin(), chains.end(), longer);
  }
  std::sort(chains.begin(), chains.end(), longer);
  return chains;
}

struct Filled {
  std::uint64_t longest = 0, all = 0;  // numbers of lane blocks: of the longer chain, and of both chains
  std::size_t end = 0;                 // the first query that did not fit, or the number of queries
};
// Calls take(side, query, blocks) for the queries from `next` on, as long as they fit two chains of up to
// `most` lane blocks each: a query goes to the chain that is shorter so far.
template <class Take>
Filled fill(std::span<const std::uint32_t> lengths, std::size_t next, int rows, std::uint64_t most,
            Take take) {
  std::uint64_t of_side[2] = {};
  for (; next < lengths.size(); ++next) {
    const int side = of_side[1] < of_side[0];
    const std::uint64_t blocks = blocks_of(lengths[next], rows);
    if (of_side[side] + blocks > most) break;
    of_side[side] += blocks;
    take(side, static_cast<std::uint32_t>(next), blocks);
  }
  return {std::max(of_side[0], of_side[1]), of_side[0] + of_side[1], next};
}

std::span<const std::uint32_t> with_residues(std::span<const std::uint32_t> lengths) {
  const auto end = std::find(lengths.begin(), lengths.end(), 0);
  return lengths.first(static_cast<std::size_t>(end - lengths.begin()));
}

// Makes bins of `sides` consecutive chains each. The first chain of each bin must be its longest, because it
// decides how many lane blocks the bin has.
Chains lay_out(std::span<const Chain> chains, std::span<const std::uint32_t> lengths, std::size_t sides,
               Shape shape, Goal goal) {
  std::vector<std::uint32_t> offsets(lengths.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), std::uint32_t{0});
  Chains result;
  std::uint32_t passes = 0;
  for (std::size_t first = 0; first < chains.size(); first += sides) {
    const auto begin = static_cast<std::uint32_t>(result.blocks.size());
    const auto blocks = static_cast<std::uint32_t>(chains[first].blocks);
    result.bins.push_back({begin, blocks, passes, 0});
    passes += passes_of(result.bins.back(), shape);
    const std::uint32_t beside = sides == 1 ? kOneQuery : kNoRow;
    result.blocks.resize(
        begin + chains[first].blocks,
        LaneBlock{{0, 0}, {-shape.rows, -shape.rows}, {0, 0}, {1, 1}, {0, 0}, {kNoRow, beside}});
    for (std::size_t side = 0; side < sides; ++side) {
      LaneBlock* block = result.blocks.data() + begin;
      for (const std::uint32_t query : chains[first + side].queries) {
        const auto length = static_cast<std::int32_t>(lengths[query]);
        std::int32_t before =
            goal == Goal::ends
                ? length - static_cast<std::int32_t>(blocks_of(lengths[query], shape.rows)) * shape.rows
                : 0;
        for (; before < length; before += shape.rows, ++block) {
          const std::int32_t there = std::max(before, 0);
          block->residues[side] = offsets[query] + static_cast<std::uint32_t>(there);
          block->before[side] = before;
          block->count[side] = static_cast<std::uint16_t>(std::min(before + shape.rows, length) - there);
          block->starts[side] = before <= 0;
          block->ends[side] = before + shape.rows >= length;
          block->row[side] = query;
          if (sides == 1) {  // both halves of the registers have this query
            block->starts[1] = block->starts[0];
            block->before[1] = block->before[0];
          }
        }
      }
    }
  }
  return result;
}

}  // namespace

std::uint64_t padded_rows(const Chains& chains, Packing packing, Shape shape) {
  return std::uint64_t{passes_of(chains, shape)} * static_cast<unsigned>(shape.lanes * shape.rows) *
         (packing == Packing::two_queries ? 2 : 1);
}

std::uint32_t passes_of(const Chains& chains, Shape shape) {
  if (chains.bins.empty()) return 0;
  const Bin& last = chains.bins.back();
  return last.first_pass + passes_of(last, shape);
}

Chains make_chains(std::span<const std::uint32_t> lengths, Packing packing, Shape shape, std::uint32_t bins,
                   Goal goal) {
  const std::span<const std::uint32_t> present = with_residues(lengths);
  if (present.empty()) return {};
  const std::size_t sides = packing == Packing::two_queries ? 2 : 1;
  const std::size_t most = (present.size() + sides - 1) / sides;
  return lay_out(spread(present, shape.rows, std::clamp<std::size_t>(bins, 1, most) * sides), present, sides,
                 shape, goal);
}

Chains pack_chains(std::span<const std::uint32_t> lengths, Shape shape, std::uint32_t most_passes,
                   Goal goal) {
  const std::span<const std::uint32_t> present = with_residues(lengths);
  const auto lanes = static_cast<std::uint64_t>(shape.lanes);
  std::vector<Chain> chains;
  for (std::size_t next = 0; next < present.size();) {
    const std::uint64_t fewest = (blocks_of(present[next], shape.rows) + lanes - 1) / lanes;
    std::uint64_t best_passes = 0;
    double best_padding = std::numeric_limits<double>::max();
    for (std::uint64_t passes = fewest; passes <= std::max<std::uint64_t>(fewest, most_passes); ++passes) {
      const Filled filled = fill(present, next, shape.rows, passes * lanes, [](auto...) {});
      const std::uint64_t needed = (filled.longest + lanes - 1) / lanes;
      const double padding = static_cast<double>(needed) / static_cast<double>(filled.all);
      if (padding >= best_padding) continue;
      best_padding = padding;
      best_passes = passes;
    }
    Chain two[2];
    next = fill(present, next, shape.rows, best_passes * lanes,
                [&](int side, std::uint32_t query, std::uint64_t blocks) {
                  two[side].queries.push_back(query);
                  two[side].blocks += blocks;
                })
               .end;
    if (two[0].blocks < two[1].blocks) std::swap(two[0], two[1]);
    std::ranges::move(two, std::back_inserter(chains));
  }
  return lay_out(chains, present, 2, shape, goal);
}

std::uint64_t longest_span(std::uint64_t query_length, std::int64_t best_score, std::int32_t open,
                           std::int32_t extend) {
  if (extend == 0) return 0;
  return query_length + static_cast<std::uint64_t>(std::max<std::int64_t>(best_score - open, 0) / extend) + 1;
}

Strips make_strips(const Subjects& subjects, RangeOf<std::uint32_t> wanted, std::uint32_t above, int lanes,
                   std::uint64_t span) {
  const std::uint32_t width = kWarpThreads / static_cast<unsigned>(lanes);  // a power of 2
  std::uint32_t end = wanted.begin;
  while (end < wanted.end && subjects.lengths[end] > above) ++end;
  Strips result{{}, std::min((end + kSubjects - 1) / kSubjects * kSubjects, wanted.end)};
  std::vector<Strip>& strips = result.strips;
  strips.reserve((result.end - wanted.begin) / width + 2);
  std::vector<Strip> last_windows;
  const auto cut = [&](std::uint64_t length) { return span > 0 && length > 2 * span; };
  std::uint32_t first = wanted.begin;
  const auto for_each_group = [&](auto wants, auto take) {
    while (first < result.end && wants(subjects.lengths[first])) {
      const std::uint32_t next = std::min((first & ~(width - 1)) + width, result.end);
      take(Strip{subjects.places[first / kSubjects] + first % kSubjects, subjects.lengths[first],
                 first - wanted.begin, next - first});
      first = next;
    }
  };
  // Windows of two spans overlap by one span, so that every alignment of positive score lies in one window.
  for_each_group(cut, [&](Strip strip) {
    const auto step = static_cast<std::uint32_t>(span);
    for (; strip.length > 2 * step; strip.length -= step, strip.offset += std::uint64_t{step} * kSubjects) {
      strips.push_back(strip);
      strips.back().length = 2 * step;
    }
    last_windows.push_back(strip);
  });
  const auto longer = [](const Strip& a, const Strip& b) { return a.length > b.length; };
  std::ranges::stable_sort(last_windows, longer);
  const auto merged = static_cast<std::ptrdiff_t>(strips.size());
  strips.insert(strips.end(), last_windows.begin(), last_windows.end());
  const auto middle = static_cast<std::ptrdiff_t>(strips.size());
  for_each_group([](std::uint64_t) { return true; }, [&](const Strip& strip) { strips.push_back(strip); });
  std::inplace_merge(strips.begin() + merged, strips.begin() + middle, strips.end(), longer);
  return result;
}

}  // namespace alnus::cuda
