// The files that all pairs are written to: rows, matrices, distances, edges. Each may be resumed.
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

// What a call writes, with all that the bytes of its files depend on.
struct PairJob {
  const PairFiles& files;
  const Scoring& scoring;
  const engine::AllPairs& pairs;
  MatrixValue value;  // of edges, and of the matrix for which no other is named
  bool nearest;       // the nearest of each row are wanted alone
  Database rows, columns;
};

// Throws Error(input) for files that contradict each other, the scoring or the pairs, Interrupted. Warns of
// names that are not written as they are.
void check(const PairJob& job, Call& call);

// The values of every pair that the files need, each once.
std::vector<PairValue> values_of(const PairFiles& files, PairValue chosen);

// A stripe's values of one kind; `values`: what the stripe has, in its order.
const ValueStripe& stripe_of(const engine::Stripe& stripe, const std::vector<PairValue>& values,
                             PairValue value);

struct PairMatrix {
  std::string path;
  PairValue value;
  MatrixType type;
  std::string row_ids, column_ids;  // files of labels; the second is empty for one set
};
std::vector<PairMatrix> matrices_of(const PairJob& job);
io::MatrixShape matrix_shape(const PairJob& job);
io::MatrixShape matrix_shape(const PairJob& job, std::uint64_t rows);  // of the job's first rows alone

// The edges among a stripe's pairs, in batches of a sixteenth of the memory at most; none if no file is for
// them.
void for_each_edges(const PairJob& job, const engine::Stripe& stripe, std::uint64_t memory_bytes,
                    const StopFlag& stop, const std::function<void(const SparseValues&)>& take);

// Reads an output that has its name. `shape`: of the job's matrix when the file was written. Throws
// Error(input) unless it is as the run left it, and Interrupted.
void require_output(const PairJob& job, const io::MatrixShape& shape, const std::string& path,
                    const io::FileState& left, const StopFlag& stop);

class PairWriters {
 public:
  // Opens all files at once. `before`: how far the run was, with what sync() returned; from the beginning if
  // it has no outputs. What an earlier process synced is read back: throws what require_output() throws.
  PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before, Call& call);
  ~PairWriters();

  void write(const engine::Stripe& stripe);  // all but the edges, which
  void write(const SparseValues& edges);     // follow those of the stripes before
  io::OutputStates sync();                   // what was written is on disk
  io::OutputStates finish();                 // the files get their names

 private:
  struct Files;
  void open_sparse(Call& call);

  std::unique_ptr<Files> files_;
};

}  // namespace alnus::api
