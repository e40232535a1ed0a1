// Options and results of Session::split: subsets of a set with no two similar sequences in different subsets.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "alnus/export.h"
#include "alnus/option_table.h"
#include "alnus/output.h"
#include "alnus/record_table.h"
#include "alnus/sequence_set.h"
#include "alnus/similarity.h"

namespace alnus {

// How many records a subset may have.
struct SubsetBounds {
  std::uint64_t lowest = 0, highest = 0;
};

struct SplitOptions {
  Similarity similarity{};
  // The share of the records that each subset gets: two or more numbers above 0. They are divided by their
  // sum, so that {1, 1, 1, 1, 1} makes five equal subsets.
  std::vector<double> fractions{};
  std::vector<std::string> names{};  // of the subsets; empty: "1", "2", ...
  // By how many percent of its share of all records a subset may be smaller or larger, 0 to 100. A subset may
  // always have the whole numbers next to its share, and is never empty.
  double tolerance = 5;
  std::optional<SubsetBounds> bounds{};  // of every subset, in place of `tolerance`
  // Texts for each record, in the order of the file (RecordTable); an empty text says nothing of a record.
  std::vector<RecordTable::Column>
      labels{};                       // each column's labels are spread over the subsets by their shares
  std::vector<std::string> groups{};  // records of one group go to one subset; may be empty
  std::vector<std::string> fixed{};   // the name of the subset that a record must go to; may be empty
  // True: sequences may be removed where whole components of similar sequences do not fit into the subsets.
  // Equal records, and those of one group, are removed together.
  // As few as are found to do are removed. A record costs 1 + its priority.
  bool allow_removal = false;
  std::vector<double> priority{};  // a number of 0 or more for each record, or empty
  std::uint64_t seed = 1;          // of the search for subsets
  EdgeFiles edge_files{};
};

struct Split {
  static constexpr std::uint32_t kRemoved = std::numeric_limits<std::uint32_t>::max();

  struct Subset {
    std::string name;
    std::uint64_t records = 0, residues = 0;
    SubsetBounds bounds;
    std::uint64_t similar = 0;  // pairs within the subset that have one of the relations
  };
  struct Label {
    std::string column, label;
    std::vector<std::uint64_t> records;  // of each subset
  };
  std::vector<Relation> relations;  // by which records are similar; empty: edges were given without any
  std::vector<Subset> subsets;
  // For each record, in the order of the file, the index of its subset, or kRemoved.
  std::vector<std::uint32_t> subset_of;
  std::vector<Label> labels;     // in the order in which columns and labels appear
  std::uint64_t components = 0;  // of similar sequences, before any was removed
  std::uint64_t largest = 0;     // records of the largest component
  std::uint64_t equal = 0;       // records that are equal to an earlier one
  std::uint64_t removed = 0;     // records
  // No less than this must be removed, in records and their priorities, for the assignment of components that
  // was found; another assignment may need less.
  std::uint64_t removal_cost = 0, lower_bound = 0;
  std::uint64_t pairs = 0, cells = 0;  // that were compared
  std::uint64_t similar = 0;           // pairs of all records that have one of the relations
  std::string statistics;              // how E-values are computed, in words; empty: there are none
  double seconds = 0;
};

// Files of a split. An empty name means that the file is not wanted; "-" is standard output.
struct SplitFiles {
  std::string csv{};  // id,subset and a line for each record that is left, in the order of the file
  std::string graph_part{};
  std::string fasta{}, ids{};  // what the names of the files of subsets begin with
  std::string certificate{};   // what the split holds to, in JSON (docs/certificate.md)
  std::string methods{};       // a text for papers, in Markdown (docs/splits.md)
  std::string report{};        // the HTML report (docs/report-format.md)
  ReportHead head{};           // what the report says of the program: its version and command line
};
// The names of all files that a split writes: those of `files`, and those of each subset.
ALNUS_API std::vector<std::string> outputs_of(const SplitFiles& files,
                                              const std::vector<std::string>& subsets);
// The names of the subsets: SplitOptions::names or, if there are none, "1", "2", ... Throws Error(input) for
// names that differ in number from the fractions, that come twice, or that are no part of a file's name.
ALNUS_API std::vector<std::string> names_of_subsets(const SplitOptions& options);
template <>
inline constexpr std::tuple kOptions<SplitFiles> = {
    CallOption{"certificate", &SplitFiles::certificate, "FILE",
               "Write a certificate of the split, in JSON, which alnus verify checks"},
    CallOption{
        "methods", &SplitFiles::methods, "FILE",
        "Write a paragraph for the methods of a paper, and answers to DOME's questions on data splits"},
    CallOption{"report", &SplitFiles::report, "FILE.html",
               "Write an HTML report: subsets, labels, and the certificate if there is one"},
    CallOption{"graph_part", &SplitFiles::graph_part, "FILE",
               "Write the subsets as GraphPart's CSV, for programs that read it"},
    CallOption{"fasta", &SplitFiles::fasta, "PREFIX", "Write a FASTA file of each subset, PREFIX.NAME.fasta"},
    CallOption{"ids", &SplitFiles::ids, "PREFIX",
               "Write the ids of each subset, a line each, to PREFIX.NAME.ids"},
};

}  // namespace alnus
