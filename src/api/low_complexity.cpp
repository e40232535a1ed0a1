#include "api/low_complexity.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/seg.h"
#include "engine/blank_sequences.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;

bool is_mostly_simple(std::span<const Residue> residues, Seg& seg) {
  std::vector<bool> simple(residues.size());
  for (const Region& region : seg.find(residues))
    std::fill_n(simple.begin() + static_cast<std::ptrdiff_t>(region.begin), region.size(), true);
  return 2 * static_cast<std::size_t>(std::ranges::count(simple, true)) > residues.size();
}

engine::SomeOfSet mostly_simple(const SequenceSet& queries, session::Call& call) {
  constexpr std::size_t kBlock = 256;  // sequences that a thread takes at a time
  const StopFlag& stop = call.stop();
  engine::SomeOfSet found;
  std::mutex mutex;
  call.state().for_each_piece(queries.size(), kBlock, [&](std::size_t begin, std::size_t end) {
    Seg seg(stop);
    for (auto query = static_cast<Index>(begin); query < end; ++query) {
      stop.throw_if_requested();
      if (!is_mostly_simple(queries.residues(query), seg)) continue;
      const std::lock_guard lock(mutex);
      found.first = found.count == 0 ? query : std::min(found.first, query);
      ++found.count;
    }
  });
  return found;
}

}  // namespace

void warn_of_low_complexity(const StatisticsOptions& options, const engine::ResolvedStatistics& resolved,
                            const SequenceSet& queries, session::Call& call) {
  if (!resolved.by_parameters_now() || queries.alphabet() != AlphabetKind::protein) return;
  std::string off;
  if (options.composition == Composition::none) off = option("composition") + " none";
  if (options.low_complexity == LowComplexity::none)
    off += (off.empty() ? "" : " and ") + option("low_complexity") + " none";
  if (off.empty()) return;
  const engine::SomeOfSet found = mostly_simple(queries, call);
  if (found.count == 0) return;
  call.warn(fmt::format(
      "More than half of {} is of low complexity ({}{}). With {} chance gives such queries more "
      "hits than E-values say: leave {} out, or mask by {} seg.",
      found.count == 1 ? "a query" : format_count(found.count, "query", "queries"),
      found.count == 1 ? "" : "the first is ", queries[found.first].id(), off, off, option("mask")));
}

}  // namespace alnus::api
