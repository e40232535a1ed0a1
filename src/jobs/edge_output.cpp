// Edges as an output of all pairs: a table, which a companion may tell of, or a sparse matrix.
#include <fmt/format.h>

#include "alnus/error.h"
#include "core/pair_value.h"
#include "core/refuse_input.h"
#include "io/atomic_file.h"
#include "io/edge_companion.h"
#include "io/edge_writer.h"
#include "io/id_writer.h"
#include "io/output_name.h"
#include "io/sha2.h"
#include "io/sparse_file.h"
#include "jobs/edge_companion.h"
#include "jobs/matrix_output.h"
#include "jobs/pair_outputs.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

// A table, and the file beside it that tells of its edges.
class EdgeTable : public TextOutput {
 public:
  explicit EdgeTable(const Opening& opening)
      : TextOutput(opening, opening.job.files.edges),
        path_(opening.job.files.edges),
        stop_(opening.call.stop()),
        companion_path_(companion_path(opening.job)),
        count_(opening.edges_done) {
    const PairJob& job = opening.job;
    if (!companion_path_.empty()) {
      companion_ = *job.companion;
      beside_.emplace(opening.call.session().threads(), companion_path_, io::FileState{}, stop_);
    }
    const engine::AllPairs& pairs = job.pairs;
    if (!file_) return;
    const io::EdgeRule rule{job.value.kind, job.scoring.scale, job.relations};
    if (pairs.is_half())
      edges_.emplace(*file_, rule, pairs.rows());
    else
      edges_.emplace(*file_, rule, pairs.rows(), pairs.columns());
  }

  void write_edges(const SparseValues& edges) override {
    count_ += edges.size();
    if (edges_) edges_->write(edges);
  }
  void finish() override {
    if (!beside_) return;
    if (file_) file_->finish();
    companion_.edges = count_;
    companion_.table_sha256 = io::sha256_of_file(file_ ? io::part_name(path_) : path_, stop_);
    beside_->write(io::to_json(companion_));
    beside_->finish();
  }
  // The companion gets its name first: a table that has its name has its companion, too.
  void commit() override {
    if (beside_) beside_->commit();
    committed_ = true;
    TextOutput::commit();
  }
  void tell(io::OutputStates& states) const override {
    TextOutput::tell(states);
    if (beside_ && committed_) states[companion_path_] = beside_->state();
  }

 private:
  const std::string path_;
  const StopFlag& stop_;
  const std::string companion_path_;  // empty: no companion is written
  std::uint64_t count_;               // edges of the table
  io::EdgeCompanion companion_;
  std::optional<io::OutputFile> beside_;
  bool committed_ = false;
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

void check_edges(const PairJob& job) {
  const PairFiles& files = job.files;
  if (files.edges.empty()) return;
  if (io::is_nearly_npz(files.edges))
    refuse_input(fmt::format("{} {}: a sparse matrix is written to files named .npz, and is not compressed.",
                             option("edges"), files.edges));
  const bool has_one_unit = job.relations.empty() || (job.relations.size() == 1 &&
                                                      job.relations.front().kind != RelationKind::related);
  if (io::is_npz(files.edges) && !has_one_unit)
    refuse_input(
        fmt::format("{} {}: a sparse matrix holds the values of one relation, and no E-values. Name the file "
                    ".tsv or .csv, or choose one relation other than related.",
                    option("edges"), files.edges));
  if (!io::is_npz(files.edges))
    check_name(files.edges, io::is_csv(files.edges) ? Contents::commas : Contents::tabs);
  else if (!files.checkpoint.empty())
    refuse_input(fmt::format(
        "{} {}: a sparse matrix is laid out once all edges are known, and {} cannot go on with it. "
        "Name the file .tsv or .csv.",
        option("edges"), files.edges, option("checkpoint")));
}

// Refuses ids with tabs where the table has tabs. CSV quotes ids, and sparse matrices have them on lines of
// their own.
void look_at_ids(const PairJob& job, session::Call&) {
  const std::string& path = job.files.edges;
  if (!io::is_csv(path) && !io::is_npz(path)) refuse_tabs(job, "a table of edges", "name the file .csv");
}

std::vector<std::string> paths_of(const PairJob& job) {
  const std::string& path = job.files.edges;
  if (!io::is_npz(path)) return {path, companion_path(job)};
  const LabelFiles labels = label_files(job);
  return {path, labels.row_ids, labels.column_ids};
}

}  // namespace

PairOutputKind edge_output() {
  return {.option = "edges",
          .path = &PairFiles::edges,
          .merged_path = &JobFiles::edges,
          .takes_threshold = true,
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
