// The output files of all pairs: rows, matrices, distances, edges. With a checkpoint each can be resumed,
// except edges as a sparse matrix (.npz).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "api/call.h"
#include "core/stop_flag.h"
#include "core/thread_pool.h"
#include "engine/all_pairs.h"
#include "io/ledger.h"
#include "io/matrix_file.h"

namespace alnus::api {

// The output files of a call, and all that their bytes depend on. Must not outlive what it refers to.
struct PairJob {
  const PairFiles& files;
  const Scoring& scoring;
  const engine::AllPairs& pairs;
  MatrixValue value;  // the value of edges and of PairFiles::matrix
  bool nearest;       // AllPairsOptions::top_k is set: rows have their nearest pairs only
  Database rows, columns;
};

// Throws Error(input) for files that contradict each other, the scoring or the pairs, and Interrupted. Warns
// of sequence names that the PHYLIP file shows with replaced characters.
void check(const PairJob& job, Call& call);

// The values that the files need of every pair, each once. `chosen`: the value of PairFiles::matrix.
std::vector<PairValue> values_of(const PairFiles& files, PairValue chosen);

// The values of one kind in a stripe. `values`: the kinds that the stripe has, in its order (values_of()).
const ValueStripe& stripe_of(const engine::Stripe& stripe, const std::vector<PairValue>& values,
                             PairValue value);

struct PairMatrix {
  std::string path;
  PairValue value;
  MatrixType type;
  bool table;  // alnus/matrix_table.h
  // Paths of the files of ids; `column_ids` is empty for one set, and both are for a table.
  std::string row_ids, column_ids;
  // The MatrixFile that has the values of a table of one set until all are known; it never gets this name.
  std::string values;
};
std::vector<PairMatrix> matrices_of(const PairJob& job);
// The shape of a matrix, or of its first rows. The shape of a table of one set is that of its `values`.
io::MatrixShape matrix_shape(const PairJob& job, const PairMatrix& matrix, std::uint64_t rows);
// The expected size of a matrix' file.
std::uint64_t matrix_bytes(const PairJob& job, const PairMatrix& matrix);

// Hands the edges of a stripe to `take`, in batches of at most a sixteenth of `memory_bytes`. Does nothing if
// no file of edges is wanted. Throws Interrupted.
void for_each_edges(const PairJob& job, const engine::Stripe& stripe, std::uint64_t memory_bytes,
                    const StopFlag& stop, const std::function<void(const SparseValues&)>& take);

// Reads an output that has its final name, and throws Error(input) unless it is as the run left it. `rows`:
// how many rows the pair matrix had when the file was written. Throws Interrupted.
void require_output(const PairJob& job, std::uint64_t rows, const std::string& path,
                    const io::FileState& left, const StopFlag& stop);

class PairWriters {
 public:
  // Opens all files. `before`: the ledger of the interrupted run; if it has no outputs, the files begin
  // empty. Reads back what the earlier process synced, and throws what require_output() throws if that has
  // changed. `job` and `call` must outlive the object.
  PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before, Call& call);
  ~PairWriters();

  void write(const engine::Stripe& stripe);  // writes all of a stripe except its edges
  void write(const SparseValues& edges);     // writes edges, in the order of the stripes
  io::OutputStates sync();                   // puts all that was written on disk; returns the files' states
  io::OutputStates finish();                 // gives the files their final names; returns their states
  // Removes what is on disk beside the finished files, once nothing can go on from there any more.
  void discard_values();

 private:
  struct Files;
  void open_sparse(Call& call);

  std::unique_ptr<Files> files_;
};

}  // namespace alnus::api
