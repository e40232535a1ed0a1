#include "api/pair_files.h"

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "alnus/error.h"
#include "alnus/matrix_table.h"
#include "alnus/text.h"
#include "api/database_state.h"
#include "api/matrix_output.h"
#include "api/row_writer.h"
#include "api/session_core.h"
#include "core/pair_value.h"
#include "engine/sparse_values.h"
#include "io/directory_lock.h"
#include "io/edge_writer.h"
#include "io/id_check.h"
#include "io/id_writer.h"
#include "io/output_file.h"
#include "io/output_name.h"
#include "io/phylip_names.h"
#include "io/phylip_writer.h"
#include "io/sparse_file.h"

namespace alnus::api {
namespace {

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::input, message); }

Resumed resume(const PairJob& job, const std::string& path, const io::Ledger& before, const StopFlag& stop) {
  const IndexRange rows = job.pairs.block().rows;
  const auto known = before.outputs.find(path);
  if (known == before.outputs.end()) {
    if (!path.empty() && before.next_row > rows.begin)
      throw Error(ErrorKind::other,
                  fmt::format("The ledger in {} is damaged: it does not have the output {}. "
                              "Remove it to start anew.",
                              job.files.checkpoint, path));
    return {};
  }
  const bool unfinished = before.next_row != rows.end || io::has_unfinished_file(path);
  // A file without bytes is begun again: a complete compressed file has bytes even without any text.
  if (unfinished || known->second.bytes == 0) return {known->second, false};
  require_output(job, job.pairs.rows().size(), path, known->second, stop);
  return {known->second, true};
}

// The paths of the files with the ids of a matrix's rows and columns; for one set `row_ids` has both.
struct LabelFiles {
  std::string row_ids, column_ids;
};
LabelFiles labels_of(const std::string& path, bool one_set) {
  return {path + (one_set ? ".ids" : ".rows.ids"), one_set ? "" : path + ".columns.ids"};
}
LabelFiles labels_of_edges(const PairJob& job) {
  if (!io::is_npz(job.files.edges)) return {};
  return labels_of(job.files.edges, job.pairs.one_set());
}

// The paths of all output files.
std::vector<std::string> names_of(const PairJob& job) {
  std::vector<std::string> names = {job.files.rows, job.files.phylip, job.files.edges};
  for (const PairMatrix& matrix : matrices_of(job))
    names.insert(names.end(), {matrix.path, matrix.row_ids, matrix.column_ids, matrix.values});
  const LabelFiles labels = labels_of_edges(job);
  names.insert(names.end(), {labels.row_ids, labels.column_ids});
  std::erase(names, "");
  return names;
}

// Refuses standard output and names that promise another format than those of matrices.
void check_matrix_name(const std::string& path) {
  if (path == "-")
    fail(
        fmt::format("{} needs a file: standard output can be written only from its beginning to its end, and "
                    "a matrix is not.",
                    option("matrix_out")));
  if (is_matrix_table(path)) return;
  std::string_view ending =
      io::has_ending(path, ".txt") ? ".txt" : io::foreign_ending(path, Contents::matrix);
  if (ending.empty()) ending = io::unwritten_ending(path);
  if (!ending.empty())
    fail(fmt::format(
        "{} {}: a matrix is written in NumPy's format, or as a table for spreadsheets, not as {}. Name it "
        ".npy, or .csv or .tsv, perhaps with .gz or .zst behind. {} is for trees, and {} FILE.npz is a "
        "sparse matrix.",
        option("matrix_out"), path, ending, option("phylip"), option("edges")));
}

// Throws if an output would replace an input or another output. The checkpoint's files count as outputs.
void check_names(const PairJob& job) {
  for (const PairMatrix& matrix : matrices_of(job)) check_matrix_name(matrix.path);
  std::vector<std::string> outputs = names_of(job);
  if (!job.files.checkpoint.empty())
    outputs.insert(outputs.end(),
                   {io::ledger_file(job.files.checkpoint), io::lock_file(job.files.checkpoint)});
  std::vector<std::string> inputs = job.rows.state()->files;
  inputs.insert(inputs.end(), job.columns.state()->files.begin(), job.columns.state()->files.end());
  inputs.insert(inputs.end(), job.files.other_inputs.begin(), job.files.other_inputs.end());
  check_outputs(outputs, inputs);
  const std::string& edges = job.files.edges;
  if (!io::is_npz(edges)) check_name(edges, io::is_csv(edges) ? Contents::commas : Contents::tabs);
  check_name(job.files.phylip, Contents::phylip);
}

void check_matrices(const PairJob& job) {
  const PairFiles& files = job.files;
  const std::vector<PairMatrix> matrices = matrices_of(job);
  if (files.matrix_type && !matrices.empty() && std::ranges::all_of(matrices, &PairMatrix::table))
    fail(fmt::format(
        "{} is for matrices in NumPy's format; a table has numbers as text. Leave it out, or name "
        "the matrix .npy.",
        option("matrix_type")));
  const bool of_scores =
      is_of_scores(job.value.kind) || std::ranges::any_of(matrices, is_of_scores, &PairMatrix::value);
  if (files.matrix_type == MatrixType::int32 && !of_scores)
    fail(fmt::format("{} int32 is for scores and score distances; identities and distances are float32.",
                     option("matrix_type")));
  if (job.scoring.scale != 1 &&
      std::ranges::find(matrices, MatrixType::int32, &PairMatrix::type) != matrices.end())
    fail(fmt::format("Scores of this scoring have decimals; choose {} float32.", option("matrix_type")));
  if (matrices.size() > 1 && std::ranges::count(matrices, matrices.front().value, &PairMatrix::value) > 1)
    fail(fmt::format("{} names {} and {} for one value; choose another value for one of them.",
                     option("matrix_out"), files.matrix, files.matrices.at(job.value.kind)));
  if (files.square && (matrices.empty() || !job.pairs.one_set()))
    fail(fmt::format("{} is a form of {} for one set; with {} the matrix is a rectangle.", option("square"),
                     option("matrix_out"), option("against")));
}

// Warns of tables that spreadsheets show in part, and tells what a diagonal means for the other outputs.
void tell_of_tables(const PairJob& job, Call& call) {
  constexpr std::uint64_t kMostColumns = 16'384, kMostRows = 1'048'576;  // of a sheet, labels included
  const std::uint64_t rows = job.pairs.rows().size(), columns = job.pairs.columns().size();
  bool told = job.files.square || (job.files.rows.empty() && job.files.edges.empty());
  for (const PairMatrix& matrix : matrices_of(job)) {
    if (!matrix.table) continue;
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

void check_phylip(const PairJob& job, Call& call) {
  const PairFiles& files = job.files;
  if (files.phylip.empty() && files.phylip_names == PhylipNames::strict)
    fail(fmt::format("{} needs {} FILE.", option("phylip_names"), option("phylip")));
  if (files.phylip.empty()) return;
  if (!job.pairs.one_set())
    fail(fmt::format("{} is for the distances within one set; leave {} out.", option("phylip"),
                     option("against")));
  Database::State& state = *job.rows.state();
  const SequenceSet& set = state.sequences;
  auto& names = state.prepared->phylip_names[static_cast<std::size_t>(files.phylip_names)];
  names.checking.run([&] {
    names.replaced = io::check_phylip_names(set, files.phylip_names, call.stop());
    state.require_sound();
  });
  const io::ReplacedNames& replaced = names.replaced;
  if (replaced.count == 0) return;
  const std::string_view id = set[replaced.first].id();
  call.warn(
      fmt::format("{} in {} with '_' in place of characters that have a meaning in trees or are not ASCII, "
                  "such as {} for {}.",
                  format_count(replaced.count, "name is", "names are"), files.phylip,
                  io::phylip_name(id, files.phylip_names), in_quotes(id)));
}

// Refuses ids with tabs where a table has tabs. CSV quotes ids, and sparse matrices and those of NumPy have
// them on lines of their own.
void check_ids_of_tables(const PairJob& job) {
  const auto require = [&](const std::string& where) {
    for (const SequenceSet* set : {&job.pairs.rows(), &job.pairs.columns()})
      io::require_ids_without("\t", *set, where, "name the file .csv");
  };
  const std::string& edges = job.files.edges;
  if (!edges.empty() && !io::is_csv(edges) && !io::is_npz(edges)) require("a table of edges");
  for (const PairMatrix& matrix : matrices_of(job))
    if (is_matrix_table(matrix.path) && !io::is_csv(matrix.path)) require("a table of a matrix");
}

void check_checkpoint(const PairFiles& files) {
  if (io::is_npz(files.edges))
    fail(fmt::format(
        "{} {}: a sparse matrix is laid out once all edges are known, and {} cannot go on with it. "
        "Name the file .tsv or .csv.",
        option("edges"), files.edges, option("checkpoint")));
  if (files.rows.empty()) return;
  std::error_code error;
  const bool special =
      std::filesystem::exists(files.rows, error) && !std::filesystem::is_regular_file(files.rows, error);
  if (files.rows == "-" || special)
    fail(fmt::format(
        "{} needs files, from which an interrupted run can go on: write the rows to a file by {}.",
        option("checkpoint"), option("output")));
  if (files.format.has_head())
    fail(fmt::format("{} works only with {} 6, 10 or jsonl{}.", option("checkpoint"), option("outfmt"),
                     files.format.header ? fmt::format(", without {}", option("header")) : ""));
}

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

}  // namespace

void check(const PairJob& job, Call& call) {
  const PairFiles& files = job.files;
  check_matrices(job);
  const bool threshold_is_missing = !files.edge_threshold && !job.nearest;
  if (files.edges.empty() ? files.edge_threshold.has_value() : threshold_is_missing)
    fail(
        fmt::format("{} FILE and {} X go together: edges are the pairs whose value is at least X (of "
                    "distances: at most X).",
                    option("edges"), option("edge_threshold")));
  if (files.edge_threshold) check_threshold(job.value.kind, *files.edge_threshold);
  if (!job.pairs.is_whole() && (!matrices_of(job).empty() || !files.phylip.empty()))
    fail(fmt::format("{} and {} hold all pairs, not those of a block; rows and {} can be of a block.",
                     option("matrix_out"), option("phylip"), option("edges")));
  if (io::is_nearly_npz(files.edges))
    fail(fmt::format("{} {}: a sparse matrix is written to files named .npz, and is not compressed.",
                     option("edges"), files.edges));
  check_names(job);
  if (!files.checkpoint.empty()) check_checkpoint(files);
  check_ids_of_tables(job);
  check_phylip(job, call);
  tell_of_tables(job, call);
}

std::vector<PairValue> values_of(const PairFiles& files, PairValue chosen) {
  std::set<PairValue> values;
  if (!files.matrix.empty()) values.insert(chosen);
  for (const auto& [value, path] : files.matrices)
    if (!path.empty()) values.insert(value);
  if (!files.phylip.empty()) values.insert(PairValue::distance);
  return {values.begin(), values.end()};
}

const ValueStripe& stripe_of(const engine::Stripe& stripe, const std::vector<PairValue>& values,
                             PairValue value) {
  return stripe.values[static_cast<std::size_t>(std::ranges::find(values, value) - values.begin())];
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

std::uint64_t matrix_bytes(const PairJob& job, const PairMatrix& matrix) {
  const io::MatrixShape shape = matrix_shape(job, matrix, job.pairs.rows().size());
  if (!matrix.table) return io::file_bytes(shape);
  constexpr std::uint64_t kScoreBytes = 4, kFractionBytes = 11;  // with the separator
  std::uint64_t bytes = shape.values() * (is_of_scores(matrix.value) ? kScoreBytes : kFractionBytes);
  for (const SequenceSet& set : {job.pairs.rows(), job.pairs.columns()})
    for (SequenceSet::Index i = 0; i < set.size(); ++i) bytes += set[i].id().size() + 1;
  return bytes;
}

void require_output(const PairJob& job, std::uint64_t rows, const std::string& path,
                    const io::FileState& left, const StopFlag& stop) {
  const std::vector<PairMatrix> matrices = matrices_of(job);
  const auto matrix = std::ranges::find(matrices, path, &PairMatrix::path);
  if (matrix != matrices.end() && !matrix->table)
    io::MatrixReader(path, matrix_shape(job, *matrix, rows), matrix->type).require(left.digest, stop);
  else
    io::require_file(path, left, stop);
}

void for_each_edges(const PairJob& job, const engine::Stripe& stripe, std::uint64_t memory_bytes,
                    const StopFlag& stop, const std::function<void(const SparseValues&)>& take) {
  if (!job.files.edges.empty()) engine::emit_sparse(stripe.sparse, memory_bytes, stop, take);
}

struct PairWriters::Files {
  const PairJob& job;
  const std::string statistics;
  const std::vector<PairValue> values;
  io::OutputStates states;  // of the files when the run was interrupted; known() updates those of open files
  std::optional<io::OutputFile> row_file{}, phylip_file{}, edge_file{};
  std::optional<ReportRows> rows{};
  std::deque<MatrixOutput> matrices{};
  std::optional<io::PhylipWriter> phylip{};
  std::optional<io::EdgeWriter> edges{};
  std::optional<io::SparseFile> sparse{};  // in place of `edges`, if they are a sparse matrix (.npz)
  std::optional<io::OutputFile> sparse_row_ids{}, sparse_column_ids{};

  const io::OutputStates& known() {
    const auto tell = [this](const std::string& path, const auto& file) {
      if (file) states[path] = file->state();
    };
    tell(job.files.rows, row_file);
    for (const MatrixOutput& matrix : matrices) matrix.tell(states);
    tell(job.files.phylip, phylip_file);
    tell(job.files.edges, edge_file);
    return states;
  }
};

PairWriters::PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before,
                         Call& call)
    : files_(new Files{job, statistics, values_of(job.files, job.value.kind), before.outputs}) {
  const PairFiles& wanted = job.files;
  const engine::AllPairs& pairs = job.pairs;
  const TakeUp take_up = [&](const std::string& path) { return resume(job, path, before, call.stop()); };
  const auto open = [&](const std::string& path, std::optional<io::OutputFile>& file) {
    return open_text(path, take_up, call, file);
  };
  open(wanted.rows, files_->row_file);
  if (files_->row_file)
    files_->rows.emplace(*files_->row_file, wanted.format, job.scoring, job.rows, job.columns, wanted.head);
  for (const PairMatrix& matrix : matrices_of(job))
    files_->matrices.emplace_back(job, matrix, before.next_row, take_up, call);
  const bool begin = open(wanted.phylip, files_->phylip_file);
  if (files_->phylip_file) files_->phylip.emplace(*files_->phylip_file, pairs.rows(), wanted.phylip_names);
  if (begin) files_->phylip->begin();
  if (io::is_npz(wanted.edges))
    open_sparse(call);
  else
    open(wanted.edges, files_->edge_file);
  if (!files_->edge_file) return;
  const io::EdgeRule rule{job.value.kind, job.scoring.scale};
  if (pairs.is_half())
    files_->edges.emplace(*files_->edge_file, rule, pairs.rows());
  else
    files_->edges.emplace(*files_->edge_file, rule, pairs.rows(), pairs.columns());
}

void PairWriters::open_sparse(Call& call) {
  ThreadPool& threads = call.session().threads();
  const PairJob& job = files_->job;
  const engine::AllPairs& pairs = job.pairs;
  const std::string& path = job.files.edges;
  const bool integers = is_of_scores(job.value.kind) && job.scoring.scale == 1;
  files_->sparse.emplace(path, io::SparseShape{pairs.rows().size(), pairs.columns().size(), pairs.is_half()},
                         integers ? MatrixType::int32 : MatrixType::float32,
                         call.session().options().memory_bytes / 16, call.stop());
  const LabelFiles labels = labels_of_edges(job);
  io::write_ids(files_->sparse_row_ids.emplace(threads, labels.row_ids), pairs.rows(),
                {0, pairs.rows().size()});
  if (!labels.column_ids.empty())
    io::write_ids(files_->sparse_column_ids.emplace(threads, labels.column_ids), pairs.columns(),
                  {0, pairs.columns().size()});
}

PairWriters::~PairWriters() = default;

void PairWriters::write(const engine::Stripe& stripe) {
  const PairJob& job = files_->job;
  const auto grouping = job.nearest ? RowWriter::Grouping::by_query : RowWriter::Grouping::apart;
  if (files_->rows) files_->rows->write(stripe.listed, files_->statistics, grouping);
  for (MatrixOutput& matrix : files_->matrices)
    matrix.write(stripe_of(stripe, files_->values, matrix.value()));
  if (files_->phylip) files_->phylip->write(stripe_of(stripe, files_->values, PairValue::distance));
}

void PairWriters::write(const SparseValues& edges) {
  if (files_->sparse)
    files_->sparse->write(edges);
  else
    files_->edges->write(edges);
}

io::OutputStates PairWriters::sync() {
  if (files_->rows) {
    files_->rows->flush();
    files_->row_file->sync();
  }
  for (MatrixOutput& matrix : files_->matrices) matrix.sync();
  if (files_->phylip) files_->phylip_file->sync();
  if (files_->edges) files_->edge_file->sync();
  return files_->known();
}

io::OutputStates PairWriters::finish() {
  // First what may fail or be interrupted: no file has its final name yet.
  if (files_->sparse) files_->sparse->lay_out();
  for (MatrixOutput& matrix : files_->matrices) matrix.lay_out();
  if (files_->rows) {
    files_->rows->finish();
    files_->row_file->commit();
  }
  for (MatrixOutput& matrix : files_->matrices) matrix.commit();
  if (files_->phylip) files_->phylip_file->commit();
  if (files_->edges) files_->edge_file->commit();
  if (files_->sparse_row_ids) files_->sparse_row_ids->commit();
  if (files_->sparse_column_ids) files_->sparse_column_ids->commit();
  if (files_->sparse) files_->sparse->commit();
  return files_->known();
}

void PairWriters::discard_values() {
  for (MatrixOutput& matrix : files_->matrices) matrix.discard_values();
}

}  // namespace alnus::api
