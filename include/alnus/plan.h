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
// All pairs of one set with AllPairsOptions::top_k: every row and column of the block are a pair, but a
// sequence with itself only with AllPairsOptions::self; the row is the query.
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

// What one process computes of a job.
struct PlannedPart {
  std::vector<Block> blocks;  // in order; none where there are more parts than work
  std::uint64_t pairs = 0, cells = 0;
  bool operator==(const PlannedPart&) const = default;
};

// One of the parts of a job's plan, or some that follow each other and are computed at once.
struct PartOfJob {
  std::size_t number = 1, count = 1;  // 1 is the first, `count` the last
  std::size_t more = 0;               // so many parts behind it, too

  std::size_t last() const { return number + more; }
  bool operator==(const PartOfJob&) const = default;
};

// How a job is cut. It follows from the inputs, `self`, `nearest`, `whole_queries` and the number of parts
// alone, so that every process that makes it has the same.
struct ALNUS_API Plan {
  enum class Job : std::uint8_t { search, all_pairs, all_pairs_of_two } job = Job::all_pairs;
  bool self = false;  // as AllPairsOptions::self
  std::string first_digest,
      second_digest;               // Database::digest() of the inputs; one set has the same one twice
  std::vector<PlannedPart> parts;  // as many as were asked for; together they have every row and column once
  bool operator==(const Plan&) const = default;

  // The blocks of these parts together. Throws Error(input) where the plan does not have them.
  PlannedPart of(const PartOfJob& part) const;

  std::string digest() const;  // identifies the plan, in 32 hexadecimal digits
  std::string to_json() const;
  // Throws Error(input) for a text that to_json did not make.
  static Plan from_json(std::string_view text);
};

// Parts of about equal cells. A part of all pairs is a block of whole rows, so that the rows of all parts,
// one after the other, are those of the whole. All throw Error(input) for 0 parts.
// `nearest`: with AllPairsOptions::top_k, where each row has all columns.
ALNUS_API Plan plan_all_pairs(const Database& set, bool self, std::size_t parts, bool nearest = false);
ALNUS_API Plan plan_all_pairs(const Database& set, const Database& against, std::size_t parts);
// The pairs of a search lie in one line, query by query, and the line is cut into parts: each has the last
// subjects of a query, whole queries, and the first subjects of another, in up to three blocks. A cut that is
// near the end of a query (2% of a part) is made there; with `whole_queries` every cut is, however unequal
// the parts become.
ALNUS_API Plan plan_search(const Database& queries, const Database& database, std::size_t parts,
                           bool whole_queries = false);

}  // namespace alnus
