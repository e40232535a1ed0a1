// What a part says of the job that it belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/parts.h"
#include "alnus/scoring.h"
#include "api/run_description.h"

namespace alnus::api {

struct Job {
  Plan::Job kind = Plan::Job::search;
  PartOfJob part;             // this one
  std::vector<Block> blocks;  // that it holds
  std::string version;        // of the library that computed it
  Description run;            // equal for all parts of a job
  // What writes the outputs:
  Scoring scoring;
  SequenceSet::Index rows = 0, columns = 0;  // sequences of both sides; of one set both are the same
  std::string rows_name, columns_name;
  PairFiles files;  // an output has a name, whichever, if the job has it; rows with format and head
  bool score_plot = false;
  // All pairs:
  bool self = false;
  MatrixValue value;
  bool nearest = false;  // of each row the nearest alone
  // A search:
  std::uint32_t max_target_seqs = 0;
  bool significance = true;           // of rows is wanted
  bool chosen_by_score = false;       // its hits are those of highest scores, whatever else judges them
  std::uint32_t most_candidates = 0;  // engine::SearchOptions::most_candidates()

  bool one_set() const { return kind == Plan::Job::all_pairs; }
  std::string to_json() const;
  // Throws std::exception for a text that to_json did not make.
  static Job from_json(std::string_view text);
};

// The outputs of all pairs, each under one name, so that descriptions of runs do not depend on names.
PairFiles without_names(PairFiles files);

}  // namespace alnus::api
