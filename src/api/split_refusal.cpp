// Why a set cannot be split as it is wanted.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "api/split_call.h"
#include "core/refuse_input.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;

std::vector<Index> records_of(graph::Vertex component, const FoldedRecords& folded,
                              const SimilarRecords& similar) {
  std::vector<Index> records;
  for (Index i = 0; i < folded.vertex_of.size(); ++i)
    if (similar.components.of[folded.vertex_of[i]] == component) records.push_back(i);
  return records;
}

// "'P1' (512 residues) to 812, 'P2' (80 residues) to 640": the records that are similar to the most others.
std::string hubs_of(std::vector<Index> records, const SimilarRecords& similar, const SequenceSet& set) {
  std::ranges::stable_sort(records, std::ranges::greater{}, [&](Index i) { return similar.others[i]; });
  constexpr std::size_t kMost = 3;
  std::vector<std::string> hubs;
  for (const Index i : std::span(records).first(std::min(kMost, records.size())))
    hubs.push_back(fmt::format("{} ({}) to {}", in_quotes(set[i].id()),
                               format_count(set.length(i), "residue", "residues"),
                               format_count(similar.others[i])));
  return fmt::format("{}", fmt::join(hubs, ", "));
}

std::size_t median_length(const std::vector<Index>& records, const SequenceSet& set) {
  std::vector<std::size_t> lengths;
  lengths.reserve(records.size());
  for (const Index i : records) lengths.push_back(set.length(i));
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::ranges::nth_element(lengths, middle);
  return *middle;
}

std::string advice(const SplitOptions& options) {
  return fmt::format("Choose a stricter {}{} allow subsets of other sizes by {}{}.", option("relation"),
                     options.allow_removal ? ", or" : ",", option("tolerance"),
                     options.allow_removal
                         ? std::string()
                         : fmt::format(", or let sequences be removed by {}", option("allow_removal")));
}

// What joins records that are similar to no other: "the group 'family X'", "groups", or "no group".
std::string groups_of(const std::vector<Index>& records, const SplitOptions& options) {
  std::string group;
  for (const Index i : records) {
    if (options.groups.empty() || options.groups[i].empty()) continue;
    if (!group.empty() && group != options.groups[i]) return "groups";
    group = options.groups[i];
  }
  return group.empty() ? "no group" : fmt::format("the group {}", in_quotes(group));
}

// The greatest size of a subset that the records may go to, and the name of the subset in which some of them
// are fixed; it is empty if none is.
std::pair<std::uint64_t, std::string> most_of(const std::vector<Index>& records, const FoldedRecords& folded,
                                              const ResolvedSplit& resolved) {
  std::uint64_t most = 0;
  for (const Index i : records) {
    const graph::Subset subset = folded.vertices[folded.vertex_of[i]].subset;
    if (subset != graph::kAnySubset) return {resolved.targets[subset].bounds.highest, resolved.names[subset]};
  }
  for (const graph::PackTarget& target : resolved.targets) most = std::max(most, target.bounds.highest);
  return {most, {}};
}

std::string why_too_large(graph::Vertex component, const ResolvedSplit& resolved, const FoldedRecords& folded,
                          const SimilarRecords& similar, const SequenceSet& set,
                          const SplitOptions& options) {
  const std::vector<Index> records = records_of(component, folded, similar);
  const auto [most, name] = most_of(records, folded, resolved);
  const std::string limit =
      name.empty() ? fmt::format("a subset may have {} at most", format_count(most))
                   : fmt::format("the subset {}, in which some of them are fixed, may have {} at most",
                                 in_quotes(name), format_count(most));
  if (std::ranges::all_of(records, [&](Index i) { return similar.others[i] == 0; }))
    return fmt::format(
        "{} are equal or of {}, of {} in all, and {}. Make groups smaller, or allow subsets of other "
        "sizes by {}.",
        format_count(records.size(), "record", "records"), groups_of(records, options),
        format_count(set.size()), limit, option("tolerance"));
  return fmt::format(
      "One component of similar records has {} of {}, and {}. Most similar are {}; the median length in the "
      "component is {}. Short sequences, and domains that many proteins share, join what is otherwise "
      "unrelated{}. {}",
      format_count(records.size()), format_count(set.size(), "record", "records"), limit,
      hubs_of(records, similar, set), format_count(median_length(records, set), "residue", "residues"),
      options.groups.empty() ? "" : ", and so do groups", advice(options));
}

std::string why_conflicting(graph::Vertex component, const FoldedRecords& folded,
                            const SimilarRecords& similar, const SequenceSet& set,
                            const SplitOptions& options) {
  const std::vector<Index> records = records_of(component, folded, similar);
  std::optional<Index> first;
  for (const Index i : records) {
    if (options.fixed[i].empty()) continue;
    if (!first) first = i;
    if (options.fixed[i] == options.fixed[*first]) continue;
    return fmt::format(
        "Records {} and {} are fixed in the subsets {} and {}, but a chain of similar records joins "
        "them. Fix both in one subset{}.",
        in_quotes(set[*first].id()), in_quotes(set[i].id()), in_quotes(options.fixed[*first]),
        in_quotes(options.fixed[i]),
        options.allow_removal ? std::string()
                              : fmt::format(", or let sequences be removed by {}", option("allow_removal")));
  }
  throw Error(ErrorKind::other, "A conflict of fixed subsets has no two records.");
}

std::string why_sizes(const graph::Split& split, const ResolvedSplit& resolved, const SplitOptions& options) {
  std::vector<std::string> sizes;
  for (std::size_t s = 0; s < split.sizes.size(); ++s)
    sizes.push_back(fmt::format("{} has {} (wanted: {} to {})", in_quotes(resolved.names[s]),
                                format_count(split.sizes[s]), format_count(resolved.targets[s].bounds.lowest),
                                format_count(resolved.targets[s].bounds.highest)));
  return fmt::format(
      "No split of the components into subsets of these sizes was found; in the nearest one {}. {}",
      fmt::join(sizes, ", "), advice(options));
}

}  // namespace

void refuse_split(const graph::Split& split, const ResolvedSplit& resolved, const FoldedRecords& folded,
                  const SimilarRecords& similar, const SequenceSet& set, const SplitOptions& options) {
  const std::string why =
      split.conflicting ? why_conflicting(*split.conflicting, folded, similar, set, options)
      : split.too_large ? why_too_large(*split.too_large, resolved, folded, similar, set, options)
                        : why_sizes(split, resolved, options);
  if (!options.allow_removal) refuse_input(why);
  std::vector<std::string> wanted;
  for (std::size_t s = 0; s < resolved.names.size(); ++s)
    wanted.push_back(fmt::format("{} to {} in {}", format_count(resolved.targets[s].bounds.lowest),
                                 format_count(resolved.targets[s].bounds.highest),
                                 in_quotes(resolved.names[s])));
  refuse_input(fmt::format("No removal was found that leaves subsets of the wanted sizes ({}). {}",
                           fmt::join(wanted, ", "), why));
}

}  // namespace alnus::api
