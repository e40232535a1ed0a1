// Resolves the options of a split, and folds records that must stay together.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <set>
#include <unordered_map>

#include "alnus/error.h"
#include "alnus/text.h"
#include "api/split_call.h"
#include "core/exact_matches.h"
#include "core/refuse_input.h"
#include "graph/components.h"

namespace alnus::api {
namespace {

using Index = SequenceSet::Index;
using graph::Vertex;

// Throws Error(input) if a list that has something for each record has another number of elements.
void check_count(std::size_t count, const SequenceSet& set, std::string_view what) {
  if (count != 0 && count != set.size())
    refuse_input(fmt::format("There are {} {} for {}. Give each record one.", format_count(count), what,
                             format_count(set.size(), "record", "records")));
}

// The shares in units of a billionth of all records.
std::vector<std::uint64_t> shares_of(const std::vector<double>& fractions) {
  constexpr double kUnits = 1e9;
  const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
  std::vector<std::uint64_t> shares;
  shares.reserve(fractions.size());
  for (const double fraction : fractions)
    shares.push_back(static_cast<std::uint64_t>(std::llround(fraction / sum * kUnits)));
  return shares;
}

graph::Bounds bounds_of(const SplitOptions& options, double share, std::uint64_t records) {
  if (options.bounds) return {options.bounds->lowest, options.bounds->highest};
  constexpr double kAll = 100;
  const double target = share * static_cast<double>(records), room = target * options.tolerance / kAll;
  return {static_cast<std::uint64_t>(std::max(1.0, std::min(std::ceil(target - room), std::floor(target)))),
          static_cast<std::uint64_t>(std::max(std::floor(target + room), std::ceil(target)))};
}

void check_bounds(const SubsetBounds& bounds, std::size_t subsets, std::uint64_t records) {
  if (bounds.lowest > bounds.highest || bounds.lowest * subsets > records ||
      bounds.highest * subsets < records)
    refuse_input(
        fmt::format("{0} subsets of {1} to {2} records cannot hold {3} records in all: give limits below "
                    "and above {4}.",
                    subsets, bounds.lowest, bounds.highest, records, records / subsets));
}

// Which records stay together: equal ones, and those of one group.
graph::ComponentMap joined(const SplitOptions& options, const SequenceSet& set, std::uint64_t& equal,
                           const StopFlag& stop) {
  graph::Components joined(set.size());
  const std::vector<Index> first = first_equals(set, stop);
  for (Index i = 0; i < set.size(); ++i) {
    if (first[i] == i) continue;
    ++equal;
    joined.join(first[i], i);
  }
  std::unordered_map<std::string_view, Index> groups;
  for (Index i = 0; i < options.groups.size(); ++i)
    if (!options.groups[i].empty()) joined.join(groups.try_emplace(options.groups[i], i).first->second, i);
  return joined.map();
}

graph::Subset subset_of(const std::string& name, const ResolvedSplit& resolved, const SequenceSet& set,
                        Index record) {
  const auto found = std::ranges::find(resolved.names, name);
  if (found == resolved.names.end())
    refuse_input(fmt::format("Record {} is fixed in the subset {}, which there is not; {}",
                             in_quotes(set[record].id()), in_quotes(name), suggestion(name, resolved.names)));
  return static_cast<graph::Subset>(found - resolved.names.begin());
}

[[noreturn]] void refuse_two_subsets(const SplitOptions& options, const SequenceSet& set, Index a, Index b) {
  const bool grouped =
      !options.groups.empty() && !options.groups[a].empty() && options.groups[a] == options.groups[b];
  refuse_input(fmt::format("Records {} and {} {}, but are fixed in two subsets, {} and {}. Fix both in one.",
                           in_quotes(set[a].id()), in_quotes(set[b].id()),
                           grouped ? fmt::format("are of the group {}", in_quotes(options.groups[a]))
                                   : std::string("are equal, or joined by equal records and groups"),
                           in_quotes(options.fixed[a]), in_quotes(options.fixed[b])));
}

void add_label(std::vector<graph::LabelCount>& labels, std::uint32_t label) {
  const auto found = std::ranges::find(labels, label, &graph::LabelCount::label);
  if (found == labels.end())
    labels.push_back({label, 1});
  else
    ++found->count;
}

// Numbers the labels, column by column, and counts those of each vertex.
void number_labels(const SplitOptions& options, Index records, FoldedRecords& folded) {
  for (std::size_t c = 0; c < options.labels.size(); ++c) {
    const RecordTable::Column& column = options.labels[c];
    const std::string name = column.name.empty() ? fmt::format("column {}", c + 2) : column.name;
    std::vector<std::uint32_t>& label_of = folded.label_of.emplace_back(records, FoldedRecords::kNoLabel);
    std::unordered_map<std::string_view, std::uint32_t> numbers;
    for (Index i = 0; i < column.values.size(); ++i) {
      const std::string& text = column.values[i];
      if (text.empty()) continue;
      const auto [label, is_new] =
          numbers.try_emplace(text, static_cast<std::uint32_t>(folded.labels.size()));
      if (is_new) folded.labels.push_back({name, text, {}});
      label_of[i] = label->second;
      add_label(folded.vertices[folded.vertex_of[i]].labels, label->second);
    }
  }
}

}  // namespace

ResolvedSplit resolve(const SplitOptions& options, const SequenceSet& set) {
  if (options.fractions.size() < 2)
    refuse_input("A split has two subsets or more. Say how many there are, or which share each gets.");
  constexpr double kMostShare = 1e9;
  for (const double fraction : options.fractions)
    if (!(fraction > 0 && fraction <= kMostShare))
      refuse_input(
          fmt::format("A subset cannot get the share {}: shares are numbers above 0, up to 1e9.", fraction));
  if (!(options.tolerance >= 0 && options.tolerance <= 100))
    refuse_input(
        fmt::format("{} is {} percent; it must be from 0 to 100.", option("tolerance"), options.tolerance));
  if (set.size() < options.fractions.size())
    refuse_input(fmt::format("{} cannot make {} subsets.", format_count(set.size(), "record", "records"),
                             options.fractions.size()));
  for (const RecordTable::Column& column : options.labels) check_count(column.values.size(), set, "labels");
  check_count(options.groups.size(), set, "groups");
  check_count(options.fixed.size(), set, "fixed subsets");
  check_count(options.priority.size(), set, "priorities");
  constexpr double kHighest = 1e6;
  for (Index i = 0; i < options.priority.size(); ++i)
    if (!(options.priority[i] >= 0 && options.priority[i] <= kHighest &&
          options.priority[i] == std::floor(options.priority[i])))
      refuse_input(
          fmt::format("The priority of record {} is {}; for splits it must be a whole number from 0 to {}.",
                      in_quotes(set[i].id()), options.priority[i], kHighest));
  if (options.bounds) check_bounds(*options.bounds, options.fractions.size(), set.size());
  ResolvedSplit resolved{names_of_subsets(options), {}};
  const double sum = std::accumulate(options.fractions.begin(), options.fractions.end(), 0.0);
  const std::vector<std::uint64_t> shares = shares_of(options.fractions);
  for (std::size_t s = 0; s < shares.size(); ++s)
    resolved.targets.push_back({shares[s], bounds_of(options, options.fractions[s] / sum, set.size())});
  return resolved;
}

FoldedRecords fold(const SplitOptions& options, const ResolvedSplit& resolved, const SequenceSet& set,
                   const StopFlag& stop) {
  FoldedRecords folded;
  const graph::ComponentMap map = joined(options, set, folded.equal, stop);
  folded.vertex_of = map.of;
  folded.vertices.resize(map.sizes.size());
  std::vector<Index> fixed_by(map.sizes.size());
  for (graph::SplitVertex& vertex : folded.vertices) vertex.weight = vertex.cost = 0;
  for (Index i = 0; i < set.size(); ++i) {
    graph::SplitVertex& vertex = folded.vertices[map.of[i]];
    ++vertex.weight;
    vertex.cost +=
        1 + (options.priority.empty() ? 0 : static_cast<std::uint64_t>(std::llround(options.priority[i])));
    if (options.fixed.empty() || options.fixed[i].empty()) continue;
    const graph::Subset subset = subset_of(options.fixed[i], resolved, set, i);
    if (vertex.subset == graph::kAnySubset) {
      vertex.subset = subset;
      fixed_by[map.of[i]] = i;
    } else if (vertex.subset != subset) {
      refuse_two_subsets(options, set, fixed_by[map.of[i]], i);
    }
  }
  number_labels(options, set.size(), folded);
  constexpr std::uint64_t kMostCost = 1ULL << 31, kMostCosts = 1ULL << 40;  // of graph::RemovalProblem
  std::uint64_t costs = 0;
  for (const graph::SplitVertex& vertex : folded.vertices) {
    costs += vertex.cost;
    if (vertex.cost >= kMostCost || costs >= kMostCosts)
      refuse_input("Priorities are too high for so many records. Give lower numbers.");
  }
  return folded;
}

}  // namespace alnus::api

namespace alnus {

std::vector<std::string> names_of_subsets(const SplitOptions& options) {
  std::vector<std::string> names = options.names;
  if (names.empty())
    for (std::size_t s = 1; s <= options.fractions.size(); ++s) names.push_back(std::to_string(s));
  if (names.size() != options.fractions.size())
    refuse_input(fmt::format("{} has {}, but there are {}. Give each subset a name.", option("names"),
                             format_count(names.size(), "name", "names"),
                             format_count(options.fractions.size(), "subset", "subsets")));
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (name.empty() || name.find_first_of("\t\r\n,\"/") != name.npos)
      refuse_input(
          fmt::format("A subset cannot have the name {}: names are not empty and have no tab, line end, "
                      "comma, quote or slash.",
                      in_quotes(name)));
    if (!seen.insert(name).second)
      refuse_input(
          fmt::format("Two subsets have the name {}. Give each a name of its own.", in_quotes(name)));
  }
  return names;
}

}  // namespace alnus
