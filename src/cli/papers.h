// The tables of the papers whose systems alnus has as methods: data/papers/<paper>.json.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "alnus/alignment.h"
#include "alnus/scoring.h"
#include "cli/bench_work.h"

namespace alnus::cli {

// A database as a paper describes it.
struct PaperDatabase {
  std::string made;  // drawn (from real sequences), random, identical: the last two of one length
  std::uint32_t sequences = 0;
  std::uint64_t residues = 0;
  std::uint32_t longest = 0;                               // of drawn ones; 0: whatever comes
  auto operator<=>(const PaperDatabase&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm
};

// What is behind one figure: a search of one query, or every pair of a set.
struct PaperTask {
  std::uint32_t gpus = 1;
  bool or_fewer_gpus = false;  // of a paper's card that had several
  PaperDatabase database;
  SetSize set;  // has sequences, or else it is a search
  std::string mode, matrix, gap_open, gap_extend, gap_convention;
  Detail detail = Detail::score;
  std::string queries;      // a file of data/queries; empty: drawn from real sequences
  std::uint32_t query = 0;  // its place in the file, or the length of the one drawn
  auto operator<=>(const PaperTask&) const = default;  // NOLINT(modernize-use-nullptr): a false alarm

  bool is_search() const { return set.count == 0; }
  Scoring scoring() const;
};

// Columns that belong together: a system's figures in one or more units.
struct PaperSeries {
  std::string title;
  std::vector<std::string> units;  // s, ms, ms/pair, MCUPS, GCUPS; any other is a ratio of two times
  bool measured = false;           // else another program's, and only told
  std::string method;              // that --method takes; empty: this program has none for it
};

struct PaperCell {
  std::vector<std::string> printed;   // by unit; empty where the paper has none
  std::optional<PaperTask> task;      // of a series that is measured
  std::optional<PaperTask> ratio_of;  // whose time is divided by the task's
};

struct PaperRow {
  std::vector<std::string> labels;
  std::vector<PaperCell> cells;  // by series
};

struct PaperTable {
  std::string name, caption;
  std::vector<std::string> notes, labels;
  std::vector<PaperSeries> series;
  std::vector<PaperRow> rows;
};

struct Paper {
  std::string name;  // of the file
  std::string title, authors, published, doi, hardware;
  std::vector<PaperTable> tables;

  const PaperTable& table(const std::string& table_name) const;
};

std::vector<std::string> paper_names();  // in the order of their years
Paper read_paper(const std::string& name);

// A figure as printed: "9.09", "~7.5". A bound is none: ">6".
std::optional<double> printed_value(const std::string& printed);

}  // namespace alnus::cli
