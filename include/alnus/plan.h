// Parts of one job: blocks of the pair matrix, and parts of a search, which different processes may compute.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/range.h"

namespace alnus {

// Rows by columns of a pair matrix, [begin, end) each. A block of all pairs of one set holds the pairs
// (column, row) with column < row, or column <= row if sequences are paired with themselves. In a block of a
// search, rows are queries and columns are subjects in the order in which the database holds them
// (Database::part).
struct Block {
  IndexRange rows, columns;
  bool operator==(const Block&) const = default;
};

struct PlannedBlock {
  Block block;
  std::uint64_t pairs = 0, cells = 0;
  bool operator==(const PlannedBlock&) const = default;
};

// How a job is cut. Follows from the inputs and the number of parts alone, so that every process that makes
// it has the same.
struct ALNUS_API Plan {
  enum class Job : std::uint8_t { search, all_pairs, all_pairs_of_two } job = Job::all_pairs;
  bool self = false;  // as AllPairsOptions::self
  std::string first_digest,
      second_digest;                 // Database::digest() of the inputs; one set has the same one twice
  std::vector<PlannedBlock> blocks;  // in order; together they have every pair once
  bool operator==(const Plan&) const = default;

  std::string digest() const;  // identifies the plan, in 32 hexadecimal digits
  std::string to_json() const;
  // Throws Error(input) for a text that to_json did not make.
  static Plan from_json(std::string_view text);
};

// Blocks of about equal cells, at most `parts` of them: whole rows, so that the rows of all blocks, one block
// after the other, are those of the whole.
ALNUS_API Plan plan_all_pairs(const Database& set, bool self, std::size_t parts);
ALNUS_API Plan plan_all_pairs(const Database& set, const Database& against, std::size_t parts);
// Blocks of all queries by some of the subjects.
ALNUS_API Plan plan_search(const Database& queries, const Database& database, std::size_t parts);

}  // namespace alnus
