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

// Rows by columns of a pair matrix, [begin, end) each.
//
// All pairs of one set: rows and columns are its sequences in the order of their file
// (Database::in_file_order). The block holds the pairs with column < row, or column <= row if sequences are
// paired with themselves. In results the column is the query and the row is the subject.
//
// All pairs of two sets: rows are the sequences of `set`, the queries; columns are those of `against`; both
// in the order of their files.
//
// A search: rows are queries, columns are subjects in the order in which the database holds them
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

// How a job is cut. It follows from the inputs, `self` and the number of parts alone, so that every process
// that makes it has the same. No call takes a plan: a process that computes a part compares the plan's digest
// and those of its inputs (Database::digest) with the job's, and computes a block.
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
