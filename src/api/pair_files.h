// The files that all pairs are written to: rows, a matrix, distances, edges. Each may be resumed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "alnus/all_pairs.h"
#include "alnus/output.h"
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
  MatrixValue value;  // of matrices, distances and edges
  Database rows, columns;
};

// Throws Error(input) for files that contradict each other, the scoring or the pairs.
void check(const PairJob& job);

MatrixType matrix_type(const PairJob& job);
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
