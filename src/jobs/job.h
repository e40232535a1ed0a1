// The description of a job that each of its part files begins with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/parts.h"
#include "alnus/relation.h"
#include "alnus/scoring.h"
#include "engine/columns_builder.h"
#include "io/edge_companion.h"
#include "jobs/run_description.h"

namespace alnus::jobs {

struct Job {
  Plan::Job kind = Plan::Job::search;
  PartOfJob part;             // which part of the job the file holds
  std::vector<Block> blocks;  // the blocks of that part
  std::string version;        // the version of the library that computed the part
  std::string commit;         // the commit of that library (alnus::commit()); parts of a job may differ in it
  Description run;            // all that the results depend on; equal for all parts of a job
  // What the writers of the outputs need:
  Scoring scoring;
  SequenceSet::Index rows = 0, columns = 0;  // numbers of sequences; equal for one set
  std::string rows_name, columns_name;
  // Digests of what all parts together store of each side (part_sequences.h); for one set both are equal.
  std::string rows_digest, columns_digest;
  // Which outputs the job has, and how they look: an output is wanted if its name is not empty. The names are
  // placeholders (without_names()). A search uses `search_files`, all pairs use `pair_files`.
  SearchFiles search_files;
  PairFiles pair_files;
  engine::RowFields fields;  // of all hits, or of the listed pairs
  // All pairs only:
  bool self = false;
  MatrixValue value;
  std::vector<Relation> relations;             // AllPairsOptions::relations
  std::optional<io::EdgeCompanion> companion;  // PairJob::companion
  bool nearest = false;  // AllPairsOptions::top_k is set: rows have their nearest pairs only
  // A search only:
  std::uint32_t max_target_seqs = 0;
  std::uint32_t max_hsps = 1;
  bool significance = true;           // SearchOptions::significance: rows show it
  bool chosen_by_score = false;       // hits are chosen by score alone (statistics none and zvalue)
  std::uint32_t most_candidates = 0;  // engine::SearchOptions::most_candidates()

  bool is_search() const { return kind == Plan::Job::search; }
  bool one_set() const { return kind == Plan::Job::all_pairs; }
  const OutputFormat& format() const { return is_search() ? search_files.format : pair_files.format; }
  // True: outputs show letters of the sequences.
  bool shows_letters() const;
  const ReportHead& head() const { return is_search() ? search_files.head : pair_files.head; }
  std::string to_json() const;
  // What all parts of a job share, as a text: everything but the part's numbers, its blocks, its commit, and
  // the names of inputs, database and substitution matrix, which may differ from machine to machine.
  std::string work() const;
  // Throws std::exception for a text that to_json did not make, and for values that no job has.
  static Job from_json(std::string_view text);
};

// A copy in which all wanted outputs have the same placeholder name, so that the descriptions of two parts do
// not differ by the names of files.
SearchFiles without_names(SearchFiles files);
PairFiles without_names(PairFiles files);

}  // namespace alnus::jobs
