// The outputs of a search. Each kind of output stands in a source file and in the list search_output_kinds(),
// by which files are checked, opened, written and merged.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/output.h"
#include "alnus/parts.h"
#include "alnus/search.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"
#include "jobs/run_report.h"

namespace alnus::jobs {

// What the outputs of a search are opened with. Outputs copy what they keep of it, except `threads` and
// `stop`, which must outlive the outputs. Once `stop` is requested, outputs throw Interrupted.
struct SearchOpening {
  const SearchFiles& files;
  const Scoring& scoring;
  const Database &queries, &database;
  ThreadPool& threads;
  const StopFlag& stop;
  InputDigests digests{};  // of a merge
};

class SearchOutput {
 public:
  virtual ~SearchOutput() = default;

  virtual void write(const SearchBatch& batch) = 0;  // gets the batches in the order of their queries
  // Writes what is left. May add to the summary what the user should know of the output.
  virtual void finish(SearchSummary& summary) = 0;
  virtual void commit() = 0;  // after finish(): gives the file its name
};

struct SearchOutputKind {
  std::string_view option;  // names the output
  // The members that have the name of the output in a run and in a merge. If a name is empty, the output is
  // not wanted.
  std::string SearchFiles::*path;
  std::string JobFiles::*merged_path;
  void (*need)(SearchOptions& options) = nullptr;  // asks a search for what the output needs; may be null
  // Throws Error(input) for a name or a format that cannot be. Called if the output is wanted.
  void (*check)(const SearchOpening& opening);
  std::unique_ptr<SearchOutput> (*open)(const SearchOpening& opening);
};
std::span<const SearchOutputKind> search_output_kinds();

// Returns `options` with all that the wanted outputs need.
SearchOptions with_needs(SearchOptions options, const SearchFiles& files);

// All wanted outputs of a search.
class SearchWriters {
 public:
  // Opens all files, after the checks of all kinds. `threads` and `stop` of the opening must outlive the
  // object. Throws Error(input) for files that would replace an input or each other, and what the kinds
  // throw.
  explicit SearchWriters(const SearchOpening& opening);

  void write(const SearchBatch& batch);
  void finish(SearchSummary& summary);  // also gives all files their names

 private:
  std::vector<std::unique_ptr<SearchOutput>> outputs_;
};

}  // namespace alnus::jobs
