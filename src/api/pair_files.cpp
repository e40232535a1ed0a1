#include "api/pair_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>

#include "alnus/error.h"
#include "api/database_state.h"
#include "api/inputs.h"
#include "api/row_writer.h"
#include "io/edge_writer.h"
#include "io/output_file.h"
#include "io/phylip_writer.h"

namespace alnus::api {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

// How a file of an earlier part of the run is taken up. A run that stopped while its files got their names,
// all rows done, has some that are complete.
struct Resumed {
  std::uint64_t bytes = 0;
  bool complete = false;
};
Resumed resume(const std::string& path, const OutputSizes& sizes, bool all_rows_done) {
  const auto size = sizes.find(path);
  if (size == sizes.end()) return {};
  std::error_code error;
  const bool unfinished = !all_rows_done || std::filesystem::exists(path + ".alnus-part", error);
  return {size->second, !unfinished && std::filesystem::file_size(path, error) == size->second};
}

void check_names(const PairFiles& files) {
  std::array<std::string_view, 4> names = {files.rows, files.matrix, files.phylip, files.edges};
  std::ranges::sort(names);
  const auto* twice = std::ranges::adjacent_find(
      names, [](std::string_view a, std::string_view b) { return !a.empty() && a == b; });
  if (twice != names.end())
    fail(fmt::format("Two outputs have the name {}; each is a file of its own.", *twice));
}

void check_checkpoint(const PairFiles& files) {
  if (files.rows.empty()) return;
  std::error_code error;
  const bool special =
      std::filesystem::exists(files.rows, error) && !std::filesystem::is_regular_file(files.rows, error);
  if (files.rows == "-" || special)
    fail(fmt::format("{} needs files to go on with: choose one by {}.", option("checkpoint"),
                     option("output")));
  if (files.format.has_head())
    fail(fmt::format("{} is for outputs without a head: choose {} 6, 10 or jsonl.", option("checkpoint"),
                     option("outfmt")));
}

}  // namespace

void check(const PairJob& job) {
  const PairFiles& files = job.files;
  const bool scores = job.value.kind == PairValue::score;
  if (!scores && matrix_type(job) == MatrixType::int32)
    fail(fmt::format("{} int32 is for scores; identities and distances are float32.", option("matrix_type")));
  if (scores && matrix_type(job) == MatrixType::int32 && job.scoring.scale != 1 && !files.matrix.empty())
    fail(fmt::format("Scores of this scoring have decimals; choose {} float32.", option("matrix_type")));
  if (!files.phylip.empty() && job.value.kind != PairValue::distance)
    fail(fmt::format("{} writes distances; choose {} distance.", option("phylip"), option("matrix_value")));
  if (!files.phylip.empty() && !job.pairs.one_set())
    fail(fmt::format("{} is for the distances within one set; leave {} out.", option("phylip"),
                     option("against")));
  if (files.square && (files.matrix.empty() || !job.pairs.one_set()))
    fail(fmt::format("{} is a form of {} for one set; with {} the matrix is a rectangle.", option("square"),
                     option("matrix_out"), option("against")));
  if (files.edge_threshold.has_value() == files.edges.empty())
    fail(fmt::format(
        "{} FILE and {} X go together: the pairs whose value is at least X (of distances: at most "
        "X).",
        option("edges"), option("edge_threshold")));
  if (!job.pairs.is_whole() && (!files.matrix.empty() || !files.phylip.empty()))
    fail(fmt::format("{} and {} hold all pairs, not those of a block; rows and {} can be of a block.",
                     option("matrix_out"), option("phylip"), option("edges")));
  check_names(files);
  for (const std::string& name : {files.rows, files.matrix, files.phylip, files.edges}) {
    check_output(name, job.rows.state()->files);
    check_output(name, job.columns.state()->files);
  }
  if (!files.checkpoint.empty()) check_checkpoint(files);
}

MatrixType matrix_type(const PairJob& job) {
  return job.files.matrix_type.value_or(job.value.kind == PairValue::score ? MatrixType::int32
                                                                           : MatrixType::float32);
}

io::MatrixShape matrix_shape(const PairJob& job) {
  const std::uint64_t rows = job.pairs.rows().size();
  if (!job.pairs.one_set()) return io::MatrixShape::rectangle(rows, job.pairs.columns().size());
  return job.files.square ? io::MatrixShape::square(rows) : io::MatrixShape::condensed(rows);
}

struct PairWriters::Files {
  const PairJob& job;
  const std::string statistics;
  std::optional<io::OutputFile> row_file, phylip_file, edge_file;
  std::optional<ReportRows> rows;
  std::optional<io::MatrixFile> matrix;
  std::optional<io::PhylipWriter> phylip;
  std::optional<io::EdgeWriter> edges;
};

PairWriters::PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before,
                         ThreadPool& threads)
    : files_(new Files{job, statistics, {}, {}, {}, {}, {}, {}, {}}) {
  const PairFiles& wanted = job.files;
  const engine::AllPairs& pairs = job.pairs;
  const auto take_up = [&](const std::string& path) {
    return resume(path, before.outputs, before.next_row == pairs.block().rows.end);
  };
  if (const Resumed at = take_up(wanted.rows); !wanted.rows.empty() && !at.complete) {
    files_->row_file.emplace(threads, wanted.rows, at.bytes);
    files_->rows.emplace(*files_->row_file, wanted.format, job.scoring, job.rows, job.columns, wanted.head);
  }
  if (const Resumed at = take_up(wanted.matrix); !wanted.matrix.empty() && !at.complete)
    files_->matrix.emplace(wanted.matrix, matrix_shape(job), matrix_type(job),
                           before.outputs.contains(wanted.matrix) ? io::AtomicFile::Begin::resumed
                                                                  : io::AtomicFile::Begin::empty);
  if (const Resumed at = take_up(wanted.phylip); !wanted.phylip.empty() && !at.complete) {
    files_->phylip_file.emplace(threads, wanted.phylip, at.bytes);
    files_->phylip.emplace(*files_->phylip_file, pairs.rows());
    if (at.bytes == 0) files_->phylip->begin();
  }
  if (const Resumed at = take_up(wanted.edges); !wanted.edges.empty() && !at.complete) {
    files_->edge_file.emplace(threads, wanted.edges, at.bytes);
    const io::EdgeRule rule{job.value.kind, wanted.edge_threshold.value_or(0), job.scoring.scale};
    if (pairs.one_set())
      files_->edges.emplace(*files_->edge_file, rule, pairs.rows(), pairs.self());
    else
      files_->edges.emplace(*files_->edge_file, rule, pairs.rows(), pairs.columns());
  }
}

PairWriters::~PairWriters() = default;

void PairWriters::write(const engine::Stripe& stripe) {
  if (files_->rows) files_->rows->write(stripe.listed, files_->statistics, RowWriter::Grouping::apart);
  if (files_->matrix) files_->matrix->write(stripe.values);
  if (files_->phylip) files_->phylip->write(stripe.values);
  if (files_->edges) files_->edges->write(stripe.values, stripe.passing);
}

OutputSizes PairWriters::sync() {
  const PairFiles& wanted = files_->job.files;
  OutputSizes sizes;
  if (files_->rows) {
    files_->rows->flush();
    sizes[wanted.rows] = files_->row_file->sync();
  }
  if (files_->matrix) {
    files_->matrix->sync();
    sizes[wanted.matrix] = io::file_bytes(matrix_shape(files_->job));
  }
  if (files_->phylip) sizes[wanted.phylip] = files_->phylip_file->sync();
  if (files_->edges) sizes[wanted.edges] = files_->edge_file->sync();
  return sizes;
}

void PairWriters::finish() {
  if (files_->rows) {
    files_->rows->finish();
    files_->row_file->commit();
  }
  if (files_->matrix) files_->matrix->commit();
  if (files_->phylip) files_->phylip_file->commit();
  if (files_->edges) files_->edge_file->commit();
}

}  // namespace alnus::api
