// The tables of the papers whose systems alnus has as methods: data/papers/<paper>.json.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/scoring.h"
#include "bench/work.h"

namespace alnus::bench {

// A database as a paper describes it.
struct PaperDatabase {
  std::string made;  // "drawn" from real sequences, or "random" or "identical", which are of one length
  std::uint32_t sequences = 0;
  std::uint64_t residues = 0;
  std::uint32_t longest = 0;                               // for "drawn"; 0: no limit
  auto operator<=>(const PaperDatabase&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

// The work that one figure of a paper measures: a search of one query, or every pair of a set.
struct PaperTask {
  std::uint32_t gpus = 1;
  bool or_fewer_gpus = false;  // may be measured with fewer GPUs: the paper's card had several
  PaperDatabase database;
  SetSize set;  // without sequences the task is a search
  std::string mode, matrix, gap_open, gap_extend, gap_convention;
  Detail detail = Detail::score;
  std::string queries;      // a file of data/queries; empty: drawn from real sequences
  std::uint32_t query = 0;  // its index in the file, or the length of the query to draw
  auto operator<=>(const PaperTask&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm

  bool is_search() const { return set.count == 0; }
  Scoring scoring() const;
};

// Columns that belong together: a system's figures in one or more units.
struct PaperSeries {
  std::string title;
  std::vector<std::string> units;  // s, ms, ms/pair, MCUPS, GCUPS; any other is a ratio of two times
  bool measured = false;           // false: the figures of another program, which are only printed
  std::string method;              // the name that --method takes; empty: this build has no such method
};

struct PaperCell {
  std::vector<std::string> printed;   // one for each unit; empty where the paper has no figure
  std::optional<PaperTask> task;      // if the series is measured
  std::optional<PaperTask> ratio_of;  // for ratios: the time of this task is divided by the time of `task`
};

struct PaperRow {
  std::vector<std::string> labels;
  std::vector<PaperCell> cells;  // one for each series
};

struct PaperTable {
  std::string name, caption;
  std::vector<std::string> notes, labels;
  std::vector<PaperSeries> series;
  std::vector<PaperRow> rows;
};

struct Paper {
  std::string name;  // the file is data/papers/<name>.json
  std::string title, authors, published, doi, hardware;
  std::vector<PaperTable> tables;

  const PaperTable& table(const std::string& table_name) const;
};

std::vector<std::string> paper_names();  // ordered by year
Paper read_paper(const std::string& name);

// The number in a printed figure: "9.09", "~7.5". Nothing for a bound: ">6".
std::optional<double> printed_value(const std::string& printed);

}  // namespace alnus::bench
