#include "jobs/checkpoint.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "io/atomic_file.h"
#include "io/file_state.h"
#include "io/matrix_table.h"
#include "jobs/matrix_output.h"

namespace alnus::jobs {
namespace {

[[noreturn]] void refuse(const io::LedgerDirectory& directory, const std::string& what) {
  refuse_input(fmt::format(
      "The ledger in {} is of another run: {}. Go on with what that run was given, or name another "
      "directory.",
      directory.path(), differs(what)));
}

// Throws Error(input) unless all outputs of a finished run are as that run left them. `rows`: how many rows
// the pair matrix of that run has.
void require_outputs(const PairJob& job, const io::Ledger& kept, SequenceSet::Index rows,
                     const StopFlag& stop) {
  for (const auto& [path, left] : kept.outputs) require_output(job, rows, path, left, stop);
}

// Copies a finished file to the beginning of its unfinished successor (NAME.alnus-part).
void copy_as_unfinished(const std::string& path, std::uint64_t bytes, const StopFlag& stop) {
  const io::InputFile from(path);
  io::AtomicFile to(path);
  io::read_pieces(from.fd(), path, 0, bytes, stop,
                  [&](const void* data, std::size_t count) { to.write(data, count); });
  to.sync();
}

// Copies the values of the first `known` rows, which a finished matrix of values or table has, to the larger,
// unfinished file `path`.
template <class Reader>
io::FileState copy_values(const PairJob& job, const PairMatrix& matrix, Reader& from, const std::string& path,
                          SequenceSet::Index known, const StopFlag& stop) {
  constexpr std::uint64_t kValues = 1 << 22;  // about as many values are copied at a time
  io::MatrixFile to(path, matrix_shape(job, matrix, job.pairs.rows().size()), matrix.type);
  for (SequenceSet::Index begin = 0; begin < known;) {
    stop.throw_if_requested();
    const auto end =
        static_cast<SequenceSet::Index>(std::min<std::uint64_t>(known, begin + 1 + kValues / known));
    const std::vector<double> values = from.read(begin, end);
    to.write({{begin, end}, {0, end}, values, nullptr});
    begin = end;
  }
  to.sync();
  return to.state();
}

// Begins the larger successor of a finished matrix of values, and replaces the state of the matrix in
// `outputs` by that of the successor. For a table the successor is the file of the table's values, since the
// table is written at the end.
void extend_matrix(const PairJob& job, const PairMatrix& matrix, SequenceSet::Index known,
                   io::OutputStates& outputs, const StopFlag& stop) {
  if (!matrix.table) {
    io::MatrixReader from(matrix.path, matrix_shape(job, matrix, known), matrix.type);
    outputs[matrix.path] = copy_values(job, matrix, from, matrix.path, known, stop);
    return;
  }
  io::MatrixTableReader from(matrix.path, matrix.type, job.pairs.rows().part(0, known), stop);
  outputs[matrix.values] = copy_values(job, matrix, from, matrix.values, known, stop);
  outputs.erase(matrix.path);
}

}  // namespace

Checkpoint::Checkpoint(const RunDescription& run, const std::optional<KnownRows>& known,
                       engine::AllPairsOptions& options, const StopFlag& stop)
    : directory_(run.job.files.checkpoint) {
  const IndexRange rows = run.job.pairs.block().rows;
  ledger_.run = describe(run);
  ledger_.stripe_cells = options.stripe_cells;
  ledger_.pair_cost = {options.cost.cell, options.cost.pair, options.cost.cell_if_left, options.cost.if_left};
  ledger_.memory_bytes = options.memory_bytes;
  ledger_.next_row = rows.begin;
  const std::optional<io::Ledger> kept = directory_.load();
  if (!kept) {
    if (!known) return;
    refuse_input(fmt::format("There is no ledger in {}: {} extends a finished run with {}.",
                             directory_.path(), option("add"), option("checkpoint")));
  }
  if (first_difference(*kept, ledger_) == nullptr) {
    check_ranges(*kept, run.job.pairs, rows.end);
    if (kept->finished) require_outputs(run.job, *kept, run.job.pairs.rows().size(), stop);
    ledger_ = *kept;
  } else {
    io::Ledger before = ledger_;
    if (known) {
      RunDescription of_known = run;
      of_known.set_digest = known->digest;
      before.run = describe(of_known);
    }
    if (const auto* differs = first_difference(*kept, before)) refuse(directory_, differs->first);
    check_ranges(*kept, run.job.pairs, known->count);
    extend(run, *known, *kept, stop);
  }
  options.stripe_cells = ledger_.stripe_cells;
  const auto& [cell, pair, cell_if_left, if_left] = ledger_.pair_cost;
  options.cost = {cell, pair, cell_if_left, if_left};
  // The memory that the run began with, but never more than this session has. With the same memory, stripes
  // end where they would have without the interruption, and so do the streams of compressed files.
  options.memory_bytes = std::min(options.memory_bytes, ledger_.memory_bytes);
  options.statistics.memory_bytes = options.memory_bytes;
}

// A ledger with a correct digest may still hold values that alnus would not have written; they are refused.
void Checkpoint::check_ranges(const io::Ledger& kept, const engine::AllPairs& pairs,
                              SequenceSet::Index end) const {
  const SequenceSet::Index begin = pairs.block().rows.begin;
  if (kept.next_row < begin || kept.next_row > end || (kept.finished && kept.next_row != end))
    directory_.refuse(
        fmt::format("its next row is {}; the run has rows {} to {}", kept.next_row, begin, end));
  const std::uint64_t done = pairs.pairs_from(begin) - pairs.pairs_from(kept.next_row);
  if (kept.listed > done || kept.empty > done - kept.listed || kept.edges > done)
    directory_.refuse(
        fmt::format("it counts {}, {} and {} pairs of {}", kept.listed, kept.empty, kept.edges, done));
  const bool has_costs = std::ranges::all_of(kept.pair_cost, [](double seconds) { return seconds >= 0; });
  if (!(kept.left >= 0 && kept.left <= 1) || !(kept.stripe_cells >= 0) || !has_costs ||
      kept.memory_bytes == 0)
    directory_.refuse("its stripe settings are out of range");
}

void Checkpoint::extend(const RunDescription& run, const KnownRows& known, const io::Ledger& kept,
                        const StopFlag& stop) {
  if (!kept.finished)
    refuse_input(fmt::format(
        "The run in {} is not finished: nothing can be added to it yet. Finish it first, without {}.",
        directory_.path(), option("add")));
  require_outputs(run.job, kept, known.count, stop);
  const std::vector<std::pair<std::string, std::string>> description = std::move(ledger_.run);
  ledger_ = kept;
  ledger_.run = description;
  ledger_.finished = false;
  const std::vector<PairMatrix> matrices = matrices_of(run.job);
  for (const auto& [path, left] : kept.outputs) {
    const auto matrix = std::ranges::find(matrices, path, &PairMatrix::path);
    if (matrix != matrices.end())
      extend_matrix(run.job, *matrix, known.count, ledger_.outputs, stop);
    else
      copy_as_unfinished(path, left.bytes, stop);
  }
  directory_.save(ledger_);
}

void Checkpoint::save(const engine::Stripe& stripe, const engine::StripeState& after,
                      const io::OutputStates& outputs) {
  ledger_.next_row = after.next_row;
  ledger_.left = after.left;
  ledger_.listed += stripe.listed.size();
  ledger_.empty += stripe.empty;
  ledger_.edges += stripe.sparse.size();
  ledger_.outputs = outputs;
  directory_.save(ledger_);
}

void Checkpoint::finish(const io::OutputStates& outputs) {
  ledger_.outputs = outputs;
  ledger_.finished = true;
  directory_.save(ledger_);
}

}  // namespace alnus::jobs
