// The sequences of the papers' tables, each made once.
#pragma once

#include <map>
#include <string>

#include "alnus/sequence_set.h"
#include "cli/bench_data.h"
#include "cli/papers.h"

namespace alnus::cli {

class PaperData {
 public:
  // part: of every database and set; the queries are whole.
  PaperData(SequenceSet source, double part) : source_(std::move(source)), part_(part) {}

  const SequenceSet& database(const PaperDatabase& wanted);
  const SpreadSet& set(const SetSize& wanted);
  // As one set, in the order of the tasks.
  SequenceSet queries(const std::vector<PaperTask>& tasks);

 private:
  std::uint32_t part_of(std::uint32_t sequences, std::uint32_t fewest) const;
  const SequenceSet& query_file(const std::string& name);

  const SequenceSet source_;
  const double part_;
  std::map<PaperDatabase, SequenceSet> databases_;
  std::map<SetSize, SpreadSet> sets_;
  std::map<std::string, SequenceSet> query_files_;
};

}  // namespace alnus::cli
