#include "alnus/plan.h"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "alnus/error.h"

namespace alnus {
namespace {

using Index = SequenceSet::Index;

constexpr int kVersion = 1;
constexpr std::array<std::string_view, 3> kJobs = {"search", "all_pairs", "all_pairs_of_two"};

std::uint64_t residues_of(const SequenceSet& set, IndexRange range) {
  const std::span<const std::uint64_t> offsets = set.arrays().offsets;
  return range.size() == 0 ? 0 : offsets[range.end] - offsets[range.begin];
}

// Cells of 10^9 proteins with each other are more than 64 bits hold.
using Sum = unsigned __int128;

// Cuts [0, count) into at most so many parts, where sums of `weight` come nearest to equal. No part is empty.
template <class Weight>
std::vector<IndexRange> cut_evenly(Index count, std::size_t parts, const Weight& weight) {
  Sum all = 0;
  for (Index i = 0; i < count; ++i) all += weight(i);
  std::vector<IndexRange> ranges;
  Sum so_far = 0;
  Index begin = 0;
  for (Index i = 0; i < count; ++i) {
    so_far += weight(i);
    const bool cut = ranges.size() + 1 < parts && so_far * parts >= all * (ranges.size() + 1);
    if (!cut && i + 1 < count) continue;
    ranges.push_back({begin, i + 1});
    begin = i + 1;
  }
  return ranges;
}

void check_parts(std::size_t parts) {
  if (parts == 0) throw Error(ErrorKind::input, "A job cannot be cut into 0 parts; choose 1 or more.");
}

Plan plan_rows(Plan::Job job, const Database& rows, const Database& columns, bool self, std::size_t parts) {
  check_parts(parts);
  const SequenceSet row_set = rows.sequences().in_file_order();
  const SequenceSet column_set = columns.sequences().in_file_order();
  Plan plan{job, self, rows.digest(), columns.digest(), {}};
  const bool one_set = job == Plan::Job::all_pairs;
  const auto columns_of = [&](Index row) {
    return IndexRange{0, one_set ? row + (self ? 1 : 0) : column_set.size()};
  };
  const auto weight = [&](Index row) -> std::uint64_t {
    return row_set.length(row) * residues_of(column_set, columns_of(row));
  };
  for (const IndexRange& range : cut_evenly(row_set.size(), parts, weight)) {
    PlannedBlock planned{{range, {0, columns_of(range.end - 1).end}}, 0, 0};
    for (Index row = range.begin; row < range.end; ++row) {
      planned.pairs += columns_of(row).size();
      planned.cells += weight(row);
    }
    plan.blocks.push_back(planned);
  }
  // The whole matrix has all columns, though the last sequence of one set is a column of no row.
  if (plan.blocks.size() == 1) plan.blocks.front().block.columns = {0, column_set.size()};
  return plan;
}

nlohmann::ordered_json json_of(const IndexRange& range) { return {range.begin, range.end}; }

IndexRange range_of(const nlohmann::json& json) {
  const IndexRange range{json.at(0), json.at(1)};
  if (json.size() != 2 || range.begin > range.end)
    throw Error(ErrorKind::input, "a range of a block does not begin before its end");
  return range;
}

}  // namespace

Plan plan_all_pairs(const Database& set, bool self, std::size_t parts) {
  return plan_rows(Plan::Job::all_pairs, set, set, self, parts);
}

Plan plan_all_pairs(const Database& set, const Database& against, std::size_t parts) {
  return plan_rows(Plan::Job::all_pairs_of_two, set, against, false, parts);
}

Plan plan_search(const Database& queries, const Database& database, std::size_t parts) {
  check_parts(parts);
  Plan plan{Plan::Job::search, false, queries.digest(), database.digest(), {}};
  const SequenceSet& subjects = database.sequences();
  const std::uint64_t query_residues = queries.sequences().total_residues();
  const auto weight = [&](Index subject) -> std::uint64_t { return subjects.length(subject); };
  for (const IndexRange& range : cut_evenly(subjects.size(), parts, weight))
    plan.blocks.push_back({{{0, queries.size()}, range},
                           std::uint64_t{queries.size()} * range.size(),
                           query_residues * residues_of(subjects, range)});
  return plan;
}

std::string Plan::to_json() const {
  nlohmann::ordered_json json = {{"alnus_plan", kVersion},
                                 {"job", kJobs[static_cast<std::size_t>(job)]},
                                 {"self", self},
                                 {"first", first_digest},
                                 {"second", second_digest},
                                 {"blocks", nlohmann::ordered_json::array()}};
  for (const PlannedBlock& planned : blocks)
    json["blocks"].push_back({{"rows", json_of(planned.block.rows)},
                              {"columns", json_of(planned.block.columns)},
                              {"pairs", planned.pairs},
                              {"cells", planned.cells}});
  return json.dump();
}

Plan Plan::from_json(std::string_view text) {
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    if (json.at("alnus_plan") != kVersion)
      throw Error(ErrorKind::input, "it was made by another version of alnus");
    Plan plan;
    const auto name = std::ranges::find(kJobs, json.at("job").get<std::string>());
    if (name == kJobs.end()) throw Error(ErrorKind::input, "its job is unknown");
    plan.job = static_cast<Job>(name - kJobs.begin());
    plan.self = json.at("self");
    plan.first_digest = json.at("first");
    plan.second_digest = json.at("second");
    if (!json.at("blocks").is_array()) throw Error(ErrorKind::input, "its blocks are no list");
    for (const nlohmann::json& block : json.at("blocks"))
      plan.blocks.push_back({{range_of(block.at("rows")), range_of(block.at("columns"))},
                             block.at("pairs"),
                             block.at("cells")});
    return plan;
  } catch (const std::exception& error) {
    throw Error(ErrorKind::input, fmt::format("This is no plan of alnus: {}.", error.what()));
  }
}

std::string Plan::digest() const {
  const std::string text = to_json();
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace alnus
