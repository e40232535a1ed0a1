// Edges as an output of all pairs: a table, or a sparse matrix.
#include <fmt/format.h>

#include "alnus/error.h"
#include "core/pair_value.h"
#include "io/edge_writer.h"
#include "io/id_writer.h"
#include "io/output_name.h"
#include "io/sparse_file.h"
#include "jobs/matrix_output.h"
#include "jobs/pair_outputs.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

class EdgeTable : public TextOutput {
 public:
  explicit EdgeTable(const Opening& opening) : TextOutput(opening, opening.job.files.edges) {
    const PairJob& job = opening.job;
    const engine::AllPairs& pairs = job.pairs;
    if (!file_) return;
    const io::EdgeRule rule{job.value.kind, job.scoring.scale};
    if (pairs.is_half())
      edges_.emplace(*file_, rule, pairs.rows());
    else
      edges_.emplace(*file_, rule, pairs.rows(), pairs.columns());
  }

  void write_edges(const SparseValues& edges) override {
    if (edges_) edges_->write(edges);
  }

 private:
  std::optional<io::EdgeWriter> edges_;
};

LabelFiles label_files(const PairJob& job) { return labels_of(job.files.edges, job.pairs.one_set()); }

// A sparse matrix (.npz), which cannot be resumed: check_edges() refuses it for runs with a checkpoint.
class SparseMatrix : public PairOutput {
 public:
  explicit SparseMatrix(const Opening& opening)
      : edges_(opening.job.files.edges, shape_of(opening.job), type_of(opening.job),
               opening.call.session().options().memory_bytes / 16, opening.call.stop()) {
    const PairJob& job = opening.job;
    ThreadPool& threads = opening.call.session().threads();
    const SequenceSet &rows = job.pairs.rows(), &columns = job.pairs.columns();
    const LabelFiles labels = label_files(job);
    io::write_ids(row_ids_.emplace(threads, labels.row_ids), rows, {0, rows.size()});
    if (!labels.column_ids.empty())
      io::write_ids(column_ids_.emplace(threads, labels.column_ids), columns, {0, columns.size()});
  }

  void write_edges(const SparseValues& edges) override { edges_.write(edges); }
  void sync() override {}
  void finish() override { edges_.lay_out(); }
  void commit() override {
    row_ids_->commit();
    if (column_ids_) column_ids_->commit();
    edges_.commit();
  }
  void tell(io::OutputStates&) const override {}

 private:
  static io::SparseShape shape_of(const PairJob& job) {
    return {job.pairs.rows().size(), job.pairs.columns().size(), job.pairs.is_half()};
  }
  static MatrixType type_of(const PairJob& job) {
    return is_of_scores(job.value.kind) && job.scoring.scale == 1 ? MatrixType::int32 : MatrixType::float32;
  }

  io::SparseFile edges_;
  std::optional<io::OutputFile> row_ids_, column_ids_;
};

// Throws Error(input) for a threshold of edges that no value of this kind has.
void check_threshold(PairValue kind, double threshold) {
  const auto within = [&](double lowest, double highest) {
    return threshold >= lowest && threshold <= highest;
  };
  const char* wrong = nullptr;
  switch (kind) {
    case PairValue::score:
      break;
    case PairValue::identity:
      if (!within(0, 100)) wrong = "identities are percents from 0 to 100";
      break;
    case PairValue::distance:
      if (!within(0, 1)) wrong = "a distance is between 0 and 1 (1 - identity)";
      break;
    case PairValue::score_distance:
      if (!(threshold >= 0)) wrong = "score distances are 0 or more";
      break;
  }
  if (wrong) fail(fmt::format("{} is {}, but {}.", option("edge_threshold"), threshold, wrong));
}

void check_edges(const PairJob& job) {
  const PairFiles& files = job.files;
  const bool threshold_is_missing = !files.edge_threshold && !job.nearest;
  if (files.edges.empty() ? files.edge_threshold.has_value() : threshold_is_missing)
    fail(
        fmt::format("{} FILE and {} X go together: edges are the pairs whose value is at least X (of "
                    "distances: at most X).",
                    option("edges"), option("edge_threshold")));
  if (files.edge_threshold) check_threshold(job.value.kind, *files.edge_threshold);
  if (files.edges.empty()) return;
  if (io::is_nearly_npz(files.edges))
    fail(fmt::format("{} {}: a sparse matrix is written to files named .npz, and is not compressed.",
                     option("edges"), files.edges));
  if (!io::is_npz(files.edges))
    check_name(files.edges, io::is_csv(files.edges) ? Contents::commas : Contents::tabs);
  else if (!files.checkpoint.empty())
    fail(fmt::format(
        "{} {}: a sparse matrix is laid out once all edges are known, and {} cannot go on with it. "
        "Name the file .tsv or .csv.",
        option("edges"), files.edges, option("checkpoint")));
}

// Refuses ids with tabs where the table has tabs. CSV quotes ids, and sparse matrices have them on lines of
// their own.
void look_at_ids(const PairJob& job, session::Call&) {
  const std::string& path = job.files.edges;
  if (!io::is_csv(path) && !io::is_npz(path)) refuse_tabs(job, "a table of edges");
}

std::vector<std::string> paths_of(const PairJob& job) {
  const std::string& path = job.files.edges;
  if (!io::is_npz(path)) return {path};
  const LabelFiles labels = label_files(job);
  return {path, labels.row_ids, labels.column_ids};
}

}  // namespace

PairOutputKind edge_output() {
  return {.option = "edges",
          .path = &PairFiles::edges,
          .merged_path = &JobFiles::edges,
          .need = [](const PairFiles&, PairValue, PairNeeds& needs) { needs.sparse = true; },
          .check = check_edges,
          .look = look_at_ids,
          .paths = paths_of,
          .open =
              [](const Opening& opening) {
                return io::is_npz(opening.job.files.edges) ? one_output<SparseMatrix>(opening)
                                                           : one_output<EdgeTable>(opening);
              }};
}

}  // namespace alnus::jobs
