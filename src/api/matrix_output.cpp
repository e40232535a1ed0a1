#include "api/matrix_output.h"

#include <utility>

#include "api/session_core.h"
#include "io/atomic_file.h"
#include "io/id_writer.h"

namespace alnus::api {

bool open_text(const std::string& path, const TakeUp& take_up, Call& call,
               std::optional<io::OutputFile>& file) {
  const Resumed at = take_up(path);
  if (!path.empty() && !at.complete) file.emplace(call.session().threads(), path, at.synced, call.stop());
  return file && at.synced.bytes == 0;
}

void discard_values(const PairJob& job) {
  for (const PairMatrix& matrix : matrices_of(job))
    if (!matrix.values.empty() && io::has_unfinished_file(matrix.values))
      io::AtomicFile(matrix.values, ErrorKind::other, io::AtomicFile::Begin::resumed).discard();
}

MatrixOutput::MatrixOutput(const PairJob& job, PairMatrix matrix, std::uint64_t rows_done,
                           const TakeUp& take_up, Call& call)
    : job_(job), call_(call), matrix_(std::move(matrix)) {
  const SequenceSet &rows = job.pairs.rows(), &columns = job.pairs.columns();
  if (matrix_.table && matrix_.values.empty()) {
    const bool begins = open_text(matrix_.path, take_up, call, text_);
    if (text_) table_.emplace(*text_, matrix_.type, rows, columns);
    if (begins) table_->begin();
    return;
  }
  // The table of one set is written at the end, but what is wrong with its file shall be known before.
  if (matrix_.table) text_.emplace(call.session().threads(), matrix_.path, io::FileState{}, call.stop());
  const std::string& path = matrix_.table ? matrix_.values : matrix_.path;
  if (const Resumed at = take_up(path); !at.complete) {
    std::optional<io::SyncedRows> synced;
    if (at.synced.bytes > 0) synced = {rows_done, at.synced.digest};
    const bool resumable = !job.files.checkpoint.empty();
    numbers_.emplace(path, matrix_shape(job, matrix_, rows.size()), matrix_.type, synced, call.stop(),
                     resumable ? io::MatrixFile::Digest::kept : io::MatrixFile::Digest::none);
  }
  open_text(matrix_.row_ids, take_up, call, row_ids_);
  if (open_text(matrix_.column_ids, take_up, call, column_ids_))
    io::write_ids(*column_ids_, columns, {0, columns.size()});
}

void MatrixOutput::write(const ValueStripe& values) {
  if (numbers_) numbers_->write(values);
  if (table_) table_->write(values);
  if (row_ids_) io::write_ids(*row_ids_, job_.pairs.rows(), values.rows);
}

void MatrixOutput::sync() {
  if (numbers_) numbers_->sync();
  if (table_) text_->sync();
  if (row_ids_) row_ids_->sync();
  if (column_ids_) column_ids_->sync();
}

void MatrixOutput::lay_out() {
  if (matrix_.values.empty()) return;
  const SequenceSet& set = job_.pairs.rows();
  table_.emplace(*text_, matrix_.type, set, set);
  table_->begin();
  table_->write_square(*numbers_, call_.stop());
}

void MatrixOutput::commit() {
  // The files of ids get their names before the matrix does.
  if (row_ids_) row_ids_->commit();
  if (column_ids_) column_ids_->commit();
  if (text_) text_->commit();
  if (numbers_ && !matrix_.table) numbers_->commit();
}

void MatrixOutput::discard_values() {
  if (matrix_.table && numbers_) numbers_->discard();
}

void MatrixOutput::tell(io::OutputStates& states) const {
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

}  // namespace alnus::api
