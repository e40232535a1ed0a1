// Makes the sequences that the papers' tables are measured with, each database and set once.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "alnus/sequence_set.h"
#include "bench/data.h"
#include "bench/papers.h"
#include "core/sorted_sequences.h"
#include "core/thread_pool.h"

namespace alnus::bench {

class PaperData {
 public:
  // part: the fraction of each database's and set's sequences to make. Queries are always whole.
  PaperData(SequenceSet source, double part, ThreadPool& threads)
      : source_(std::move(source)), part_(part), threads_(threads) {}

  const std::shared_ptr<const SortedSequences>& database(const PaperDatabase& wanted);
  const SpreadSet& set(const SetSize& wanted);
  // The queries of the tasks as one set, in the order of the tasks.
  SequenceSet queries(const std::vector<PaperTask>& tasks);

 private:
  std::uint32_t part_of(std::uint32_t sequences, std::uint32_t fewest) const;
  const SequenceSet& query_file(const std::string& name);

  const SequenceSet source_;
  const double part_;
  ThreadPool& threads_;
  std::map<PaperDatabase, std::shared_ptr<const SortedSequences>> databases_;
  std::map<SetSize, SpreadSet> sets_;
  std::map<std::string, SequenceSet> query_files_;
};

}  // namespace alnus::bench
