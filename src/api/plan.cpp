#include "alnus/plan.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <xxhash.h>

#include "alnus/error.h"
#include "core/refuse_input.h"

namespace alnus {
namespace {

using Index = SequenceSet::Index;

constexpr unsigned kVersion = 2;

std::uint64_t residues_of(const SequenceSet& set, IndexRange range) {
  const std::span<const std::uint64_t> offsets = set.arrays().offsets;
  return range.size() == 0 ? 0 : offsets[range.end] - offsets[range.begin];
}

// A number of cells. 64 bits are too few: all pairs of 10^9 proteins have more cells.
using Sum = unsigned __int128;

// Cuts [0, count) into `parts` ranges whose sums of `weight` are about equal. The last ranges may be empty.
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
  ranges.resize(parts, {count, count});
  return ranges;
}

void check_parts(std::size_t parts) {
  if (parts == 0) refuse_input("A job cannot be cut into 0 parts; choose 1 or more.");
}

Plan plan_rows(Plan::Job job, const Database& rows, const Database& columns, bool self, bool half,
               std::size_t parts) {
  check_parts(parts);
  const SequenceSet row_set = rows.sequences().in_file_order();
  const SequenceSet column_set = columns.sequences().in_file_order();
  Plan plan{job, self, rows.digest(), columns.digest(), {}};
  const auto columns_of = [&](Index row) {
    return IndexRange{0, half ? row + (self ? 1 : 0) : column_set.size()};
  };
  // With whole rows of one set (not `half`) the row's own sequence is among its columns, but is no pair
  // unless `self`.
  const std::uint32_t not_paired = job == Plan::Job::all_pairs && !half && !self ? 1 : 0;
  const auto weight = [&](Index row) -> std::uint64_t {
    const std::uint64_t others = residues_of(column_set, columns_of(row)) - not_paired * row_set.length(row);
    return row_set.length(row) * others;
  };
  for (const IndexRange& range : cut_evenly(row_set.size(), parts, weight)) {
    PlannedPart& part = plan.parts.emplace_back();
    if (range.size() == 0) continue;
    // The part that has all rows gets all columns, so that its block is the whole pair matrix. With `half`
    // and without `self`, no row has the last sequence as a column.
    const bool whole = range.size() == row_set.size();
    part.blocks.push_back({range, {0, whole ? column_set.size() : columns_of(range.end - 1).end}});
    for (Index row = range.begin; row < range.end; ++row) {
      part.pairs += columns_of(row).size() - not_paired;
      part.cells += weight(row);
    }
  }
  return plan;
}

// A place between two pairs of a search. The pairs lie in one line: those of the first query with all
// subjects, then those of the second query, and so on.
struct Cut {
  Index query = 0, subject = 0;
};

// The part of the job that has the pairs between two places.
PlannedPart between(const Cut& begin, const Cut& end, const SequenceSet& queries,
                    const SequenceSet& subjects) {
  PlannedPart part;
  const auto add = [&](IndexRange rows, IndexRange columns) {
    if (rows.size() == 0) return;
    part.blocks.push_back({rows, columns});
    part.pairs += std::uint64_t{rows.size()} * columns.size();
    part.cells += residues_of(queries, rows) * residues_of(subjects, columns);
  };
  if (begin.query == end.query) {
    if (begin.subject < end.subject) add({begin.query, begin.query + 1}, {begin.subject, end.subject});
    return part;
  }
  Index whole = begin.query;
  if (begin.subject > 0) {
    add({whole, whole + 1}, {begin.subject, subjects.size()});
    ++whole;
  }
  add({whole, end.query}, {0, subjects.size()});  // even without subjects: every query gets an answer
  if (end.subject > 0) add({end.query, end.query + 1}, {0, end.subject});
  return part;
}

// The place to cut the line so that about `cells` cells lie before the cut. The cut is at the end of a query
// if one is within `tolerance` cells, or if `whole_queries` is set.
Cut cut_at(Sum cells, const SequenceSet& queries, const SequenceSet& subjects, Sum tolerance,
           bool whole_queries) {
  const std::uint64_t of_subjects = subjects.total_residues();
  const std::span<const std::uint64_t> of_queries = queries.arrays().offsets.first(queries.size() + 1);
  const auto cells_before = [&](Index query) {
    return Sum{of_queries[query] - of_queries.front()} * of_subjects;
  };
  const auto is_before = [&](std::uint64_t offset) {
    return Sum{offset - of_queries.front()} * of_subjects < cells;
  };
  const auto after =
      static_cast<Index>(std::ranges::partition_point(of_queries, is_before) - of_queries.begin());
  if (after == 0) return {};
  const Sum left = cells - cells_before(after - 1), right = cells_before(after) - cells;
  const bool is_near = std::min(left, right) <= tolerance;
  if (whole_queries || is_near) return {left < right ? after - 1 : after, 0};
  const std::span<const std::uint64_t> offsets = subjects.arrays().offsets.first(subjects.size() + 1);
  const auto residues = offsets.front() + static_cast<std::uint64_t>(
                                              left / std::max<std::size_t>(1, queries.length(after - 1)));
  const auto subject = static_cast<Index>(std::ranges::lower_bound(offsets, residues) - offsets.begin());
  return subject >= subjects.size() ? Cut{after, 0} : Cut{after - 1, subject};
}

nlohmann::ordered_json json_of(const IndexRange& range) { return {range.begin, range.end}; }

// Appends a block to `blocks`, or joins it with the last block there if both together are one block.
// `search`: the blocks are of a search, where pieces of one query's row are joined, too. In all pairs each
// block has whole rows.
void append(const Block& block, std::vector<Block>& blocks, bool search) {
  if (!blocks.empty()) {
    auto& [rows, columns] = blocks.back();
    const bool same_query = rows == block.rows && columns.end == block.columns.begin;
    const bool whole_rows = rows.end == block.rows.begin && (!search || columns == block.columns);
    if (search && same_query)
      columns.end = block.columns.end;
    else if (whole_rows)
      rows.end = block.rows.end, columns.end = std::max(columns.end, block.columns.end);
    if (same_query || whole_rows) {
      // If the joined block now has all subjects, as the block of whole queries before it has, these two
      // blocks are joined, too.
      const Block last = blocks.back();
      if (blocks.size() > 1 && search && blocks[blocks.size() - 2].columns == last.columns &&
          blocks[blocks.size() - 2].rows.end == last.rows.begin) {
        blocks.pop_back();
        blocks.back().rows.end = last.rows.end;
      }
      return;
    }
  }
  blocks.push_back(block);
}

using Json = nlohmann::json;

void require(bool fits, const char* name) {
  if (!fits) refuse_input(fmt::format("its field \"{}\" has a value that no plan has", name));
}

// Returns the field `name` of a JSON object. Throws Error(input) if it is missing or its value has another
// type.
const Json& field(const Json& of, const char* name, Json::value_t type) {
  if (!of.is_object() || !of.contains(name)) refuse_input(fmt::format("its field \"{}\" is missing", name));
  const Json& value = of.at(name);
  require(value.type() == type, name);
  return value;
}

std::uint64_t count_of(const Json& of, const char* name) {
  return field(of, name, Json::value_t::number_unsigned).get<std::uint64_t>();
}

std::string text_of(const Json& of, const char* name) {
  return field(of, name, Json::value_t::string).get<std::string>();
}

std::string digest_of(const Json& of, const char* name) {
  std::string digest = text_of(of, name);
  require(digest.size() == 32 && digest.find_first_not_of("0123456789abcdef") == digest.npos, name);
  return digest;
}

IndexRange range_of(const Json& of, const char* name) {
  const Json& ends = field(of, name, Json::value_t::array);
  const auto is_index = [](const Json& end) {
    return end.is_number_unsigned() && end.get<std::uint64_t>() <= std::numeric_limits<Index>::max();
  };
  require(ends.size() == 2 && is_index(ends[0]) && is_index(ends[1]) && ends[0] <= ends[1], name);
  return {ends[0].get<Index>(), ends[1].get<Index>()};
}

PlannedPart part_of(const Json& json, Plan::Job job) {
  PlannedPart part{{}, count_of(json, "pairs"), count_of(json, "cells")};
  Sum most = 0;  // rows times columns of all blocks
  for (const Json& block : field(json, "blocks", Json::value_t::array)) {
    part.blocks.push_back({range_of(block, "rows"), range_of(block, "columns")});
    most += Sum{part.blocks.back().rows.size()} * part.blocks.back().columns.size();
  }
  require(job == Plan::Job::search ? part.pairs == most : part.pairs <= most, "pairs");
  require(part.pairs > 0 || part.cells == 0, "cells");
  return part;
}

Plan plan_of(const Json& json) {
  if (count_of(json, "alnus_plan") != kVersion) refuse_input("it was made by another version of alnus");
  Plan plan;
  const std::optional<Plan::Job> kind = find_word<Plan::Job>(text_of(json, "job"));
  require(kind.has_value(), "job");
  plan.job = *kind;
  plan.self = field(json, "self", Json::value_t::boolean).get<bool>();
  require(!plan.self || plan.job == Plan::Job::all_pairs, "self");
  plan.first_digest = digest_of(json, "first");
  plan.second_digest = digest_of(json, "second");
  require(plan.job != Plan::Job::all_pairs || plan.first_digest == plan.second_digest, "second");
  const Json& parts = field(json, "parts", Json::value_t::array);
  require(!parts.empty(), "parts");
  for (const Json& part : parts) plan.parts.push_back(part_of(part, plan.job));
  return plan;
}

[[noreturn]] void refuse_text(const std::string& what) {
  refuse_input(fmt::format("This is no plan of alnus: {}. Make the plan again from its inputs.", what));
}

}  // namespace

Plan plan_all_pairs(const Database& set, bool self, std::size_t parts, bool nearest) {
  return plan_rows(Plan::Job::all_pairs, set, set, self, !nearest, parts);
}

Plan plan_all_pairs(const Database& set, const Database& against, std::size_t parts) {
  return plan_rows(Plan::Job::all_pairs_of_two, set, against, false, false, parts);
}

Plan plan_search(const Database& queries, const Database& database, std::size_t parts, bool whole_queries) {
  check_parts(parts);
  constexpr int kPartsOfPart = 50;  // a query's end is near a cut if it is within 1/50 of a part
  Plan plan{Plan::Job::search, false, queries.digest(), database.digest(), {}};
  const SequenceSet &rows = queries.sequences(), &columns = database.sequences();
  const Sum all = Sum{rows.total_residues()} * columns.total_residues();
  Cut begin;
  for (std::size_t number = 1; number <= parts; ++number) {
    Cut end{rows.size(), 0};
    if (number < parts && !rows.empty())
      end = cut_at(all * number / parts, rows, columns, all / parts / kPartsOfPart, whole_queries);
    plan.parts.push_back(between(begin, end, rows, columns));
    begin = end;
  }
  return plan;
}

PlannedPart Plan::of(const PartOfJob& part) const {
  if (part.number == 0 || part.last() > parts.size() || part.count != parts.size())
    refuse_input(
        fmt::format("A plan of {} parts has no part {} of {}.", parts.size(), part.last(), part.count));
  PlannedPart all;
  for (std::size_t number = part.number; number <= part.last(); ++number) {
    const PlannedPart& one = parts[number - 1];
    for (const Block& block : one.blocks) append(block, all.blocks, job == Job::search);
    all.pairs += one.pairs;
    all.cells += one.cells;
  }
  return all;
}

std::string Plan::to_json() const {
  nlohmann::ordered_json json = {
      {"alnus_plan", kVersion}, {"job", word_of(job)},     {"self", self},
      {"first", first_digest},  {"second", second_digest}, {"parts", nlohmann::ordered_json::array()}};
  for (const PlannedPart& part : parts) {
    nlohmann::ordered_json of_part = {
        {"blocks", nlohmann::ordered_json::array()}, {"pairs", part.pairs}, {"cells", part.cells}};
    for (const Block& block : part.blocks)
      of_part["blocks"].push_back({{"rows", json_of(block.rows)}, {"columns", json_of(block.columns)}});
    json["parts"].push_back(std::move(of_part));
  }
  return json.dump();
}

Plan Plan::from_json(std::string_view text) {
  try {
    return plan_of(Json::parse(text));
  } catch (const Json::parse_error& error) {
    refuse_text(fmt::format("it is not JSON from byte {} on", error.byte));
  } catch (const Error& error) {
    refuse_text(error.what());
  }
}

std::string Plan::digest() const {
  const std::string text = to_json();
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace alnus
