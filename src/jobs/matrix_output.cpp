#include "jobs/matrix_output.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "alnus/text.h"
#include "core/pair_value.h"
#include "core/refuse_input.h"
#include "io/atomic_file.h"
#include "io/id_writer.h"
#include "io/matrix_table.h"
#include "io/output_name.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

class MatrixOutput : public PairOutput {
 public:
  MatrixOutput(const Opening& opening, PairMatrix matrix) : opening_(opening), matrix_(std::move(matrix)) {
    const PairJob& job = opening.job;
    session::Call& call = opening.call;
    const SequenceSet &rows = job.pairs.rows(), &columns = job.pairs.columns();
    if (matrix_.table && matrix_.values.empty()) {
      const bool begins = opening.open_text(matrix_.path, text_);
      if (text_) table_.emplace(*text_, matrix_.type, rows, columns);
      if (begins) table_->begin();
      return;
    }
    // The table of one set is written when all values are known. Its file is opened now, so that an error
    // about the file is thrown before the values are computed.
    if (matrix_.table) text_.emplace(call.session().threads(), matrix_.path, io::FileState{}, call.stop());
    const std::string& path = matrix_.table ? matrix_.values : matrix_.path;
    if (const Resumed at = opening.take_up(path); !at.complete) {
      std::optional<io::SyncedRows> synced;
      if (at.synced.bytes > 0) synced = {opening.rows_done, at.synced.digest};
      const bool resumable = !job.files.checkpoint.empty();
      numbers_.emplace(path, matrix_shape(job, matrix_, rows.size()), matrix_.type, synced, call.stop(),
                       resumable ? io::MatrixFile::Digest::kept : io::MatrixFile::Digest::none);
    }
    opening.open_text(matrix_.row_ids, row_ids_);
    if (opening.open_text(matrix_.column_ids, column_ids_))
      io::write_ids(*column_ids_, columns, {0, columns.size()});
  }

  void write(const engine::Stripe& stripe) override {
    const ValueStripe& values = values_of(opening_.job, stripe, matrix_.value);
    if (numbers_) numbers_->write(values);
    if (table_) table_->write(values);
    if (row_ids_) io::write_ids(*row_ids_, opening_.job.pairs.rows(), values.rows);
  }
  void sync() override {
    if (numbers_) numbers_->sync();
    if (table_) text_->sync();
    if (row_ids_) row_ids_->sync();
    if (column_ids_) column_ids_->sync();
  }
  // Lays the table of one set out, whose values are all known now.
  void finish() override {
    if (matrix_.values.empty()) return;
    const SequenceSet& set = opening_.job.pairs.rows();
    table_.emplace(*text_, matrix_.type, set, set);
    table_->begin();
    table_->write_square(*numbers_, opening_.call.stop());
  }
  void commit() override {
    // The files of ids get their names before the matrix does.
    if (row_ids_) row_ids_->commit();
    if (column_ids_) column_ids_->commit();
    if (text_) text_->commit();
    if (numbers_ && !matrix_.table) numbers_->commit();
  }
  // Removes the file of the values from which a table was laid out, which stays otherwise, because it was
  // synced.
  void discard_values() override {
    if (matrix_.table && numbers_) numbers_->discard();
  }
  void tell(io::OutputStates& states) const override {
    const auto tell_of = [&](const std::string& path, const auto& file) {
      if (file) states[path] = file->state();
    };
    if (table_) {
      states.erase(matrix_.values);
      tell_of(matrix_.path, text_);
    } else {
      tell_of(matrix_.table ? matrix_.values : matrix_.path, numbers_);
    }
    tell_of(matrix_.row_ids, row_ids_);
    tell_of(matrix_.column_ids, column_ids_);
  }

 private:
  const Opening& opening_;
  const PairMatrix matrix_;
  std::optional<io::MatrixFile> numbers_;  // the .npy file, or the values of a table of one set
  std::optional<io::OutputFile> text_;     // the file of a table
  // Writes `text_`: of two sets from the beginning, of one set when all values are known.
  std::optional<io::MatrixTableWriter> table_;
  std::optional<io::OutputFile> row_ids_, column_ids_;
};

// Refuses standard output and names that promise another format than those of matrices.
void check_matrix_name(const std::string& path) {
  if (path == "-")
    refuse_input(
        fmt::format("{} needs a file: standard output can be written only from its beginning to its end, and "
                    "a matrix is not.",
                    option("matrix_out")));
  if (is_matrix_table(path)) return;
  std::string_view ending =
      io::has_ending(path, ".txt") ? ".txt" : io::foreign_ending(path, Contents::matrix);
  if (ending.empty()) ending = io::unwritten_ending(path);
  if (!ending.empty())
    refuse_input(fmt::format(
        "{} {}: a matrix is written in NumPy's format, or as a table for spreadsheets, not as {}. Name it "
        ".npy, or .csv or .tsv, perhaps with .gz or .zst behind. {} is for trees, and {} FILE.npz is a "
        "sparse matrix.",
        option("matrix_out"), path, ending, option("phylip"), option("edges")));
}

void check_matrices(const PairJob& job) {
  const PairFiles& files = job.files;
  const std::vector<PairMatrix> matrices = matrices_of(job);
  for (const PairMatrix& matrix : matrices) check_matrix_name(matrix.path);
  if (files.matrix_type && !matrices.empty() && std::ranges::all_of(matrices, &PairMatrix::table))
    refuse_input(fmt::format(
        "{} is for matrices in NumPy's format; a table has numbers as text. Leave it out, or name "
        "the matrix .npy.",
        option("matrix_type")));
  const bool of_scores =
      is_of_scores(job.value.kind) || std::ranges::any_of(matrices, is_of_scores, &PairMatrix::value);
  if (files.matrix_type == MatrixType::int32 && !of_scores)
    refuse_input(
        fmt::format("{} int32 is for scores and score distances; identities and distances are float32.",
                    option("matrix_type")));
  if (job.scoring.scale != 1 &&
      std::ranges::find(matrices, MatrixType::int32, &PairMatrix::type) != matrices.end())
    refuse_input(
        fmt::format("Scores of this scoring have decimals; choose {} float32.", option("matrix_type")));
  if (matrices.size() > 1 && std::ranges::count(matrices, matrices.front().value, &PairMatrix::value) > 1)
    refuse_input(fmt::format("{} names {} and {} for one value; choose another value for one of them.",
                             option("matrix_out"), files.matrix, files.matrices.at(job.value.kind)));
  if (files.square && (matrices.empty() || !job.pairs.one_set()))
    refuse_input(fmt::format("{} is a form of {} for one set; with {} the matrix is a rectangle.",
                             option("square"), option("matrix_out"), option("against")));
}

// Throws Error(input) for ids with tabs in a table with tabs. Warns of tables that spreadsheets show in part,
// and tells that the diagonal of a table makes all outputs have pairs of a sequence with itself.
void look_at_tables(const PairJob& job, session::Call& call) {
  constexpr std::uint64_t kMostColumns = 16'384, kMostRows = 1'048'576;  // of a spreadsheet, labels included
  const std::uint64_t rows = job.pairs.rows().size(), columns = job.pairs.columns().size();
  bool told = true;
  for_each_wanted(job.files, [&](const PairOutputKind& kind) { told = told && kind.holds_every_pair; });
  told = told || job.files.square;
  for (const PairMatrix& matrix : matrices_of(job)) {
    if (!matrix.table) continue;
    if (!io::is_csv(matrix.path)) refuse_tabs(job, "a table of a matrix", "name the file .csv");
    if (rows >= kMostRows || columns >= kMostColumns)
      call.warn(fmt::format(
          "{} has {} and {}, of which a spreadsheet shows the first {} and {}, labels included. Programs "
          "such as pandas and R read all of it.",
          matrix.path, format_count(rows, "row", "rows"), format_count(columns, "column", "columns"),
          format_count(kMostRows), format_count(kMostColumns)));
    if (!told && job.pairs.one_set())
      call.info(fmt::format(
          "{} has a diagonal: each sequence is aligned with itself, too, in all outputs of this run.",
          matrix.path));
    told = true;
  }
}

std::uint64_t bytes_of(const PairJob& job, const PairMatrix& matrix) {
  const io::MatrixShape shape = matrix_shape(job, matrix, job.pairs.rows().size());
  if (!matrix.table) return io::file_bytes(shape);
  constexpr std::uint64_t kScoreBytes = 4, kFractionBytes = 11;  // expected for a value and its separator
  std::uint64_t bytes = shape.values() * (is_of_scores(matrix.value) ? kScoreBytes : kFractionBytes);
  for (const SequenceSet& set : {job.pairs.rows(), job.pairs.columns()})
    for (SequenceSet::Index i = 0; i < set.size(); ++i) bytes += set[i].id().size() + 1;
  return bytes;
}

void need_matrices(const PairFiles& files, PairValue chosen, PairNeeds& needs) {
  if (!files.matrix.empty()) needs.values.insert(chosen);
  for (const auto& [value, path] : files.matrices)
    if (!path.empty()) needs.values.insert(value);
}

std::vector<std::string> paths_of(const PairJob& job) {
  std::vector<std::string> paths;
  for (const PairMatrix& matrix : matrices_of(job))
    paths.insert(paths.end(), {matrix.path, matrix.row_ids, matrix.column_ids, matrix.values});
  return paths;
}

std::vector<std::unique_ptr<PairOutput>> open_matrices(const Opening& opening) {
  std::vector<std::unique_ptr<PairOutput>> outputs;
  for (PairMatrix& matrix : matrices_of(opening.job))
    outputs.push_back(std::make_unique<MatrixOutput>(opening, std::move(matrix)));
  return outputs;
}

std::uint64_t bytes_of_all(const PairJob& job) {
  std::uint64_t bytes = 0;
  for (const PairMatrix& matrix : matrices_of(job)) bytes += bytes_of(job, matrix);
  return bytes;
}

}  // namespace

PairOutputKind matrix_output() {
  return {.option = "matrix_out",
          .path = &PairFiles::matrix,
          .merged_path = &JobFiles::matrix,
          .more_paths = &PairFiles::matrices,
          .merged_more_paths = &JobFiles::matrices,
          .has_tables = true,
          .holds_every_pair = true,
          .need = need_matrices,
          .check = check_matrices,
          .look = look_at_tables,
          .paths = paths_of,
          .bytes = bytes_of_all,
          .open = open_matrices};
}

LabelFiles labels_of(const std::string& path, bool one_set) {
  return {path + (one_set ? ".ids" : ".rows.ids"), one_set ? "" : path + ".columns.ids"};
}

std::vector<PairMatrix> matrices_of(const PairJob& job) {
  const PairFiles& files = job.files;
  std::vector<PairMatrix> matrices;
  const auto add = [&](const std::string& path, PairValue value) {
    if (path.empty()) return;
    const bool table = is_matrix_table(path), one_set = job.pairs.one_set();
    const bool whole_numbers = table ? job.scoring.scale == 1 : files.matrix_type != MatrixType::float32;
    LabelFiles labels = table ? LabelFiles{} : labels_of(path, one_set);
    matrices.push_back(
        {path, value, is_of_scores(value) && whole_numbers ? MatrixType::int32 : MatrixType::float32, table,
         std::move(labels.row_ids), std::move(labels.column_ids), table && one_set ? path + ".values" : ""});
  };
  add(files.matrix, job.value.kind);
  for (const auto& [value, path] : files.matrices) add(path, value);
  return matrices;
}

io::MatrixShape matrix_shape(const PairJob& job, const PairMatrix& matrix, std::uint64_t rows) {
  if (!job.pairs.one_set()) return io::MatrixShape::rectangle(rows, job.pairs.columns().size());
  return job.files.square || matrix.table ? io::MatrixShape::square(rows) : io::MatrixShape::condensed(rows);
}

void discard_values(const PairJob& job) {
  for (const PairMatrix& matrix : matrices_of(job))
    if (!matrix.values.empty() && io::has_unfinished_file(matrix.values))
      io::AtomicFile(matrix.values, ErrorKind::other, io::AtomicFile::Begin::resumed).discard();
}

}  // namespace alnus::jobs
