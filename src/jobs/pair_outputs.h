// The outputs of all pairs: files of rows, matrices, distances, edges. Each kind of output stands in a source
// file of its own and in the list pair_output_kinds(), by which files are checked, opened, written and
// merged.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "alnus/parts.h"
#include "alnus/relation.h"
#include "core/stop_flag.h"
#include "engine/all_pairs_driver.h"
#include "io/edge_companion.h"
#include "io/ledger.h"
#include "io/output_file.h"
#include "jobs/run_report.h"
#include "session/call.h"

namespace alnus::jobs {

// The output files of a call, and all that their bytes depend on. Must not outlive what it refers to.
struct PairJob {
  const PairFiles& files;
  const Scoring& scoring;
  const engine::AllPairs& pairs;
  MatrixValue value;  // the value of edges and of PairFiles::matrix
  bool nearest;       // AllPairsOptions::top_k is set: rows have their nearest pairs only
  Database rows, columns;
  std::vector<Relation> relations{};  // AllPairsOptions::relations; not empty: edges have one of them
  std::optional<io::EdgeCompanion> companion{};  // what is told of the edges in a file beside them
  InputDigests digests{};                        // of a merge
};

// What outputs need of the pairs.
struct PairNeeds {
  bool rows = false;             // the pairs that are listed (Stripe::listed)
  std::set<PairValue> values{};  // values of every pair (Stripe::values)
  std::set<PairValue>
      exact_values{};   // those of `values` that a part keeps as float64, since an output shows all digits
  bool sparse = false;  // the values that pass the threshold of edges (Stripe::sparse)
  bool cigars = false;  // the CIGARs of rows that have alignments, whatever the format of rows needs
};
// The union of what the wanted outputs need. `chosen`: the value of PairFiles::matrix and of edges.
PairNeeds needs_of(const PairFiles& files, PairValue chosen);
inline PairNeeds needs_of(const PairJob& job) { return needs_of(job.files, job.value.kind); }

// The values of one kind in a stripe that has the values of needs_of().
const ValueStripe& values_of(const PairJob& job, const engine::Stripe& stripe, PairValue value);

// How far an output was when its run was interrupted. `complete`: all rows were done and the file had its
// final name already, as happens if a run stops while its files get their names.
struct Resumed {
  io::FileState synced;
  bool complete = false;
};

// What an output is opened with. Must outlive the output.
struct Opening {
  const PairJob& job;
  std::string statistics;                                   // how scores are judged, in words
  SequenceSet::Index rows_done;                             // how many rows the synced files have
  std::uint64_t edges_done;                                 // how many edges they have
  std::function<Resumed(const std::string& path)> take_up;  // how far the file of this name was
  session::Call& call;

  // Opens a file of text, unless it is complete or `path` is empty. Returns true if a file was opened and is
  // empty, so that its head is still to be written.
  bool open_text(const std::string& path, std::optional<io::OutputFile>& file) const;
};

// The files of one output.
class PairOutput {
 public:
  virtual ~PairOutput() = default;

  // Both get the stripes in their order; the edges of a stripe come behind it, in batches.
  virtual void write(const engine::Stripe&) {}
  virtual void write_edges(const SparseValues&) {}
  virtual void sync() = 0;          // puts all that was written on disk
  virtual void finish() {}          // after the last stripe: writes what is left. Throws Interrupted
  virtual void commit() = 0;        // after finish(): gives the files their names
  virtual void discard_values() {}  // removes synced files that are no outputs
  virtual void tell(io::OutputStates& states) const = 0;  // adds the states of open files
};

// An output that is one file of text. If the file is complete already, nothing is opened or written.
class TextOutput : public PairOutput {
 public:
  TextOutput(const Opening& opening, const std::string& path);
  void sync() override;
  void commit() override;
  void tell(io::OutputStates& states) const override;

 protected:
  bool begins() const { return begins_; }  // the file is empty: its head is still to be written
  std::optional<io::OutputFile> file_;

 private:
  const std::string path_;
  const bool begins_;
};

// A kind of output. Its functions are called for jobs that want such an output; `check` is called for all
// jobs.
struct PairOutputKind {
  std::string_view option;  // names the output
  // The members that have the name of the output in a run and in a merge. If a name is empty, the output is
  // not wanted.
  std::string PairFiles::*path;
  std::string JobFiles::*merged_path;
  // The names of further outputs of this kind, by the kind of value that each of these outputs has.
  std::map<PairValue, std::string> PairFiles::*more_paths = nullptr;
  std::map<PairValue, std::string> JobFiles::*merged_more_paths = nullptr;
  bool has_tables = false;  // a name such as x.csv (is_matrix_table()) asks for a table
  // The output has the pairs that pass PairFiles::edge_threshold, and needs this threshold, except with
  // AllPairsOptions::top_k.
  bool takes_threshold = false;
  bool holds_every_pair = false;      // it cannot be of a block, or of the nearest pairs
  std::string_view never_extended{};  // why PairInputs::added cannot extend the file; empty: it can
  // Adds what the output needs of the pairs. `chosen`: as needs_of().
  void (*need)(const PairFiles& files, PairValue chosen, PairNeeds& needs);
  // Throws Error(input) for a name and for options that contradict each other, the scoring or the pairs.
  void (*check)(const PairJob& job);
  // Looks at the names of the sequences, and warns the user or throws Error(input). May be null.
  void (*look)(const PairJob& job, session::Call& call) = nullptr;
  std::vector<std::string> (*paths)(const PairJob& job);  // the names of all files; some may be empty
  // The expected size of the files in bytes, for a dry run. Null where it depends on how many pairs are
  // listed.
  std::uint64_t (*bytes)(const PairJob& job) = nullptr;
  std::vector<std::unique_ptr<PairOutput>> (*open)(const Opening& opening);

  bool is_wanted(const PairFiles& files) const;
};
std::span<const PairOutputKind> pair_output_kinds();
// Calls take(kind) for each kind of output that is wanted.
template <class Take>
void for_each_wanted(const PairFiles& files, const Take& take) {
  for (const PairOutputKind& kind : pair_output_kinds())
    if (kind.is_wanted(files)) take(kind);
}

// Opens the output of a kind that has a single output.
template <class Output>
std::vector<std::unique_ptr<PairOutput>> one_output(const Opening& opening) {
  std::vector<std::unique_ptr<PairOutput>> outputs;
  outputs.push_back(std::make_unique<Output>(opening));
  return outputs;
}

// Throws Error(input) for ids with tabs: for an output that has tabs between ids. `where` names it, and
// `instead` says what to do.
void refuse_tabs(const PairJob& job, const std::string& where, const std::string& instead);

// Throws Error(input) for files that contradict each other, the scoring or the pairs, and Interrupted. Tells
// the user what the kinds find when they look at the sequences.
void check(const PairJob& job, session::Call& call);

// Reads an output that has its final name, and throws Error(input) unless it is as the run left it. `rows`:
// how many rows the pair matrix had when the file was written. Throws Interrupted.
void require_output(const PairJob& job, std::uint64_t rows, const std::string& path,
                    const io::FileState& left, const StopFlag& stop);

// All wanted outputs of a call.
class PairWriters {
 public:
  // Opens all files. `before`: the ledger of the interrupted run; if it has no outputs, the files begin
  // empty. Reads back what the earlier process synced, and throws what require_output() throws if that has
  // changed. `job` and `call` must outlive the object.
  PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before,
              session::Call& call);

  PairWriters(const PairWriters&) = delete;
  PairWriters& operator=(const PairWriters&) = delete;

  void write(const engine::Stripe& stripe);     // writes all of a stripe except its edges
  void write_edges(const SparseValues& edges);  // writes edges, in the order of the stripes
  io::OutputStates sync();    // puts all that was written on disk; returns the files' states
  io::OutputStates finish();  // gives the files their final names; returns their states
  // Removes the synced files that are no outputs themselves: the values of tables. Called when the run is
  // finished, so that no later run needs them.
  void discard_values();

 private:
  const io::OutputStates& known();

  const Opening opening_;
  io::OutputStates states_;  // of the files when the run was interrupted; known() updates those of open files
  std::vector<std::unique_ptr<PairOutput>> outputs_;
};

// Hands the edges of a stripe to `take`, in batches of at most a sixteenth of `memory_bytes`. Does nothing if
// no file of edges is wanted. Throws Interrupted.
void for_each_edges(const PairJob& job, const engine::Stripe& stripe, std::uint64_t memory_bytes,
                    const StopFlag& stop, const std::function<void(const SparseValues&)>& take);

}  // namespace alnus::jobs
