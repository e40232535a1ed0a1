// Plans: how a job is cut into parts, which different processes may compute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/range.h"
#include "alnus/words.h"

namespace alnus {

// A block of a pair matrix: the rows [rows.begin, rows.end) by the columns [columns.begin, columns.end).
//
// In all pairs of one set, rows and columns are the set's sequences in the order of their file
// (Database::in_file_order). The block holds the pairs with column < row, or column <= row if sequences are
// paired with themselves. In results the column is the query and the row is the subject.
//
// In all pairs of one set with AllPairsOptions::top_k, every row and column of the block are a pair; a
// sequence with itself is one only with AllPairsOptions::self. The row is the query.
//
// In all pairs of two sets, rows are the sequences of `set`, which are the queries; columns are the sequences
// of `against`. Both are in the order of their files.
//
// In a search, rows are queries, and columns are subjects in the order in which the database holds them
// (Database::part).
struct Block {
  IndexRange rows, columns;
  bool operator==(const Block&) const = default;
};

// The work of one part of a job.
struct PlannedPart {
  std::vector<Block> blocks;  // by row, then column; empty if there are more parts than work
  std::uint64_t pairs = 0, cells = 0;
  bool operator==(const PlannedPart&) const = default;
};

// One part of a job's plan, or several consecutive parts that are computed at once.
struct PartOfJob {
  std::size_t number = 1, count = 1;  // the first part has the number 1, the last one `count`
  std::size_t more = 0;               // how many parts after part `number` are computed, too

  std::size_t last() const { return number + more; }
  bool operator==(const PartOfJob&) const = default;
};

// How a job is cut. The plan follows from the inputs, `self`, `nearest`, `whole_queries` and the number of
// parts alone, so that every process that makes the plan has the same one.
struct ALNUS_API Plan {
  enum class Job : std::uint8_t { search, all_pairs, all_pairs_of_two } job = Job::all_pairs;
  bool self = false;  // as AllPairsOptions::self
  std::string first_digest,
      second_digest;               // Database::digest() of both inputs; equal if there is one set
  std::vector<PlannedPart> parts;  // as many as were asked for; together they have every pair once
  bool operator==(const Plan&) const = default;

  // The blocks of one part, or of several, together. Throws Error(input) if the plan does not have these
  // parts.
  PlannedPart of(const PartOfJob& part) const;

  std::string digest() const;  // identifies the plan, in 32 hexadecimal digits
  std::string to_json() const;
  // Throws Error(input) for a text that to_json did not make.
  static Plan from_json(std::string_view text);
};
template <>
inline constexpr std::array kWords<Plan::Job> = {Word{"search", Plan::Job::search},
                                                 Word{"all_pairs", Plan::Job::all_pairs},
                                                 Word{"all_pairs_of_two", Plan::Job::all_pairs_of_two}};

// Plans of all pairs, cut into parts of about equally many cells. Each part is a block of whole rows, so that
// the rows of all parts, one after the other, are the rows of the whole. `nearest`: the plan is for
// AllPairsOptions::top_k, where each row has all columns. Both functions throw Error(input) for 0 parts.
ALNUS_API Plan plan_all_pairs(const Database& set, bool self, std::size_t parts, bool nearest = false);
ALNUS_API Plan plan_all_pairs(const Database& set, const Database& against, std::size_t parts);
// The plan of a search, cut into parts of about equally many cells. The pairs of the search lie in one line,
// query by query, and this line is cut. A part thus has the last subjects of one query, then whole queries,
// then the first subjects of another query, in up to three blocks. A cut near the end of a query (within 2%
// of a part) is made at that end; with `whole_queries` every cut is made at the end of a query, however
// unequal the parts become. Throws Error(input) for 0 parts.
ALNUS_API Plan plan_search(const Database& queries, const Database& database, std::size_t parts,
                           bool whole_queries = false);

}  // namespace alnus
