// Calls of the engine's drivers in tests, and their results as records that own their values.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "alnus/results.h"
#include "alnus/search.h"
#include "core/sorted_sequences.h"
#include "core/thread_pool.h"
#include "engine/call_state.h"
#include "engine/resolved_statistics.h"

namespace alnus::test {

// A call with threads of its own or those of a pool. It records the warnings and the devices that were
// retired. Devices and pool must live as long as the call.
class EngineCall {
 public:
  explicit EngineCall(std::span<Device* const> devices, int threads = 2);
  EngineCall(std::span<Device* const> devices, ThreadPool& threads);

  // Drivers take a CallState&.
  operator engine::CallState&() { return call_; }  // NOLINT(google-explicit-constructor)
  engine::CallState* operator->() { return &call_; }
  engine::Progress& progress() { return call_.progress; }
  // To be called after the driver has ended.
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<const Device*>& retired() const { return retired_; }

 private:
  void take_notes();

  std::vector<Device*> devices_;
  std::unique_ptr<ThreadPool> own_threads_;  // null if a pool was given
  engine::CallState call_;
  std::mutex mutex_;
  std::vector<std::string> warnings_;
  std::vector<const Device*> retired_;
};

// A row that owns its values.
struct FoundRow {
  SequenceSet::Index query = 0, subject = 0;
  Alignment alignment;
  std::optional<AlignmentCounts> counts{};
  std::optional<double> bits{}, evalue{}, zscore{};
  bool operator==(const FoundRow&) const = default;
};

// Returns the rows of the columns. The test fails if a column has values for some rows only.
std::vector<FoundRow> rows_of(const Columns& columns);
void append(std::vector<FoundRow>& rows, const Columns& columns);

// Returns the row of a pair as align_reference() computes it, without significance.
FoundRow reference_row(const SequenceSet& queries, const SequenceSet& subjects, IndexPair pair,
                       const Scoring& scoring, Detail detail);

// Takes the batches of a search. The test fails if a batch does not begin with the query after the last one
// of the batch before, or if a row is not in the batch of its query.
class FoundHits {
 public:
  void take(const SearchBatch& batch);

  std::vector<FoundRow> rows;
  std::vector<SequenceSet::Index> queries;        // of all batches, in order
  std::vector<QueryStatistics> query_statistics;  // of all batches, in order
  std::vector<std::size_t> batches;               // the number of queries of each
};

std::shared_ptr<const SortedSequences> sorted(const SequenceSet& set);

// Returns options for statistics by the scoring's published parameters, in the search space of the whole
// database.
engine::ResolvedStatistics published_statistics(const Scoring& scoring, const SequenceSet& database);

}  // namespace alnus::test
