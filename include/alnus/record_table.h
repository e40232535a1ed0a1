// Tables that say something of the records of a set: labels, groups, priorities, subsets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "alnus/export.h"
#include "alnus/sequence_set.h"

namespace alnus {

// A text for each record of a set, in each column of a table.
struct RecordTable {
  struct Column {
    std::string name;                 // in the header; empty if there is none
    std::vector<std::string> values;  // of each record; empty for records that the table does not name
  };
  std::string path;
  std::vector<Column> columns;       // at least one
  std::vector<std::uint64_t> lines;  // of each record, from 1; 0 for records that the table does not name
};

// Reads a table of tabs, or else of commas (CSV, by RFC 4180), plain, gzip or zstd; "-" is standard input.
// Its first column has ids. The first line is a header if its first column is "id". Empty lines are ignored.
// Throws Error(input) naming the line for an id that is unknown, comes twice or belongs to several records,
// for an empty value, and for a line that has other columns than the first one.
ALNUS_API RecordTable read_record_table(const std::string& path, const SequenceSet& set);

// The numbers in the first column after the ids, for ClusterOptions::priority and the like; 0 for records
// that the table does not name. Throws Error(input) naming the line for what is no finite number, and what
// read_record_table() throws.
ALNUS_API std::vector<double> read_priorities(const std::string& path, const SequenceSet& set);

}  // namespace alnus
