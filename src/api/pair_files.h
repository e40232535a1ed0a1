// The files that all pairs are written to: rows, matrices, distances, edges. Each may be resumed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
#include "api/call.h"
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
  Database rows, columns;
};

// Throws Error(input) for files that contradict each other, the scoring or the pairs, Interrupted. Warns of
// names that are not written as they are.
void check(const PairJob& job, Call& call);

// The values of every pair that the files need, each once.
std::vector<PairValue> values_of(const PairFiles& files, PairValue chosen);

struct PairMatrix {
  std::string path;
  PairValue value;
  MatrixType type;
  std::string row_ids, column_ids;  // files of labels; the second is empty for one set
};
std::vector<PairMatrix> matrices_of(const PairJob& job);
io::MatrixShape matrix_shape(const PairJob& job);

// Bytes by file name.
using OutputSizes = std::map<std::string, std::uint64_t>;

class PairWriters {
 public:
  // Opens all files at once. `before`: how far the run was, with the sizes that sync() returned; from the
  // beginning if it has none.
  PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before,
              ThreadPool& threads);
  ~PairWriters();

  void write(const engine::Stripe& stripe);
  OutputSizes sync();  // what was written is on disk
  void finish();       // the files get their names

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace alnus::api
