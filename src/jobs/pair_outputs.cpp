#include "jobs/pair_outputs.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "alnus/error.h"
#include "core/refuse_input.h"
#include "engine/sparse_values.h"
#include "io/directory_lock.h"
#include "io/id_check.h"
#include "jobs/matrix_output.h"
#include "jobs/search_outputs.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus::jobs {
namespace {

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

// Adds the names that are not empty.
template <class Files>
void add_names(const Files& files, std::string Files::*path,
               std::map<PairValue, std::string> Files::*more_paths, std::vector<std::string>& names) {
  const auto add = [&](const std::string& name) {
    if (!name.empty()) names.push_back(name);
  };
  add(files.*path);
  if (more_paths)
    for (const auto& [value, name] : files.*more_paths) add(name);
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
  if (wrong) refuse_input(fmt::format("{} is {}, but {}.", option("edge_threshold"), threshold, wrong));
}

// Throws Error(input) if a threshold of edges is given and no output takes it, or if an output takes it and
// it is missing. It may be missing with `nearest`, and must be missing with relations, which have their own.
void check_threshold(const PairJob& job) {
  std::string_view takes;  // the option of an output that takes a threshold
  for_each_wanted(job.files, [&](const PairOutputKind& kind) {
    if (kind.takes_threshold) takes = kind.option;
  });
  const std::optional<double> threshold = job.files.edge_threshold;
  if (!job.relations.empty()) {
    if (threshold)
      refuse_input(fmt::format("{} {} has a threshold of its own: leave {} out.", option("relation"),
                               to_string(job.relations), option("edge_threshold")));
    return;
  }
  if (takes.empty() ? threshold.has_value() : !threshold && !job.nearest)
    refuse_input(
        fmt::format("{} FILE and {} X go together: edges are the pairs whose value is at least X (of "
                    "distances: at most X).",
                    option(takes.empty() ? "edges" : takes), option("edge_threshold")));
  if (threshold) check_threshold(job.value.kind, *threshold);
}

// Throws Error(input) if an output that holds every pair is wanted of a block.
void check_block(const PairJob& job) {
  if (job.pairs.is_whole()) return;
  for_each_wanted(job.files, [&](const PairOutputKind& kind) {
    if (kind.holds_every_pair)
      refuse_input(fmt::format(
          "{} holds every pair, not those of a block. Leave it out: rows and {} can be of a block.",
          option(kind.option), option("edges")));
  });
}

// Throws Error(input) if an output would replace an input or another output. The checkpoint's files count as
// outputs.
void check_names(const PairJob& job) {
  std::vector<std::string> outputs;
  for_each_wanted(job.files, [&](const PairOutputKind& kind) {
    for (std::string& path : kind.paths(job))
      if (!path.empty()) outputs.push_back(std::move(path));
  });
  if (!job.files.checkpoint.empty())
    outputs.insert(outputs.end(),
                   {io::ledger_file(job.files.checkpoint), io::lock_file(job.files.checkpoint)});
  std::vector<std::string> inputs = job.rows.state()->files;
  inputs.insert(inputs.end(), job.columns.state()->files.begin(), job.columns.state()->files.end());
  inputs.insert(inputs.end(), job.files.other_inputs.begin(), job.files.other_inputs.end());
  check_outputs(outputs, inputs);
}

}  // namespace

// Each in a file of its own.
PairOutputKind row_output(), matrix_output(), phylip_output(), edge_output(), pair_report_output();

std::span<const PairOutputKind> pair_output_kinds() {
  // finish() and commit() go through the outputs in this order. Rows come last: if they go to standard
  // output, commit() writes the last of them, and their reader takes the output for complete. Nothing may
  // fail after that.
  static const std::array kinds = {matrix_output(), phylip_output(), edge_output(), pair_report_output(),
                                   row_output()};
  return kinds;
}

PairNeeds needs_of(const PairFiles& files, PairValue chosen) {
  PairNeeds needs;
  for_each_wanted(files, [&](const PairOutputKind& kind) { kind.need(files, chosen, needs); });
  return needs;
}

const ValueStripe& values_of(const PairJob& job, const engine::Stripe& stripe, PairValue value) {
  const std::set<PairValue> values = needs_of(job).values;
  return stripe.values[static_cast<std::size_t>(std::distance(values.begin(), values.find(value)))];
}

TextOutput::TextOutput(const Opening& opening, const std::string& path)
    : path_(path), begins_(opening.open_text(path, file_)) {}
void TextOutput::sync() {
  if (file_) file_->sync();
}
void TextOutput::commit() {
  if (file_) file_->commit();
}
void TextOutput::tell(io::OutputStates& states) const {
  if (file_) states[path_] = file_->state();
}

bool PairOutputKind::is_wanted(const PairFiles& files) const {
  std::vector<std::string> names;
  add_names(files, path, more_paths, names);
  return !names.empty();
}

bool Opening::open_text(const std::string& path, std::optional<io::OutputFile>& file) const {
  const Resumed at = take_up(path);
  if (!path.empty() && !at.complete) file.emplace(call.session().threads(), path, at.synced, call.stop());
  return file && at.synced.bytes == 0;
}

void refuse_tabs(const PairJob& job, const std::string& where, const std::string& instead) {
  for (const SequenceSet* set : {&job.pairs.rows(), &job.pairs.columns()})
    io::require_ids_without("\t", *set, where, instead);
}

void check(const PairJob& job, session::Call& call) {
  check_threshold(job);
  check_block(job);
  for (const PairOutputKind& kind : pair_output_kinds()) kind.check(job);
  check_names(job);
  for_each_wanted(job.files, [&](const PairOutputKind& kind) {
    if (kind.look) kind.look(job, call);
  });
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

PairWriters::PairWriters(const PairJob& job, const std::string& statistics, const io::Ledger& before,
                         session::Call& call)
    : opening_{job,
               statistics,
               before.next_row,
               before.edges,
               [&job, before, &call](const std::string& path) {
                 return resume(job, path, before, call.stop());
               },
               call},
      states_(before.outputs) {
  for_each_wanted(job.files, [&](const PairOutputKind& kind) {
    for (std::unique_ptr<PairOutput>& output : kind.open(opening_)) outputs_.push_back(std::move(output));
  });
}

void PairWriters::write(const engine::Stripe& stripe) {
  for (const auto& output : outputs_) output->write(stripe);
}

void PairWriters::write_edges(const SparseValues& edges) {
  for (const auto& output : outputs_) output->write_edges(edges);
}

io::OutputStates PairWriters::sync() {
  for (const auto& output : outputs_) output->sync();
  return known();
}

io::OutputStates PairWriters::finish() {
  for (const auto& output : outputs_) output->finish();  // no file has its final name yet
  for (const auto& output : outputs_) output->commit();
  return known();
}

void PairWriters::discard_values() {
  for (const auto& output : outputs_) output->discard_values();
}

const io::OutputStates& PairWriters::known() {
  for (const auto& output : outputs_) output->tell(states_);
  return states_;
}

void for_each_edges(const PairJob& job, const engine::Stripe& stripe, std::uint64_t memory_bytes,
                    const StopFlag& stop, const std::function<void(const SparseValues&)>& take) {
  if (needs_of(job).sparse) engine::emit_sparse(stripe.sparse, memory_bytes, stop, take);
}

}  // namespace alnus::jobs

namespace alnus {

std::vector<std::string> PairFiles::names_beside_rows() const {
  std::vector<std::string> names;
  for (const jobs::PairOutputKind& kind : jobs::pair_output_kinds())
    if (kind.path != &PairFiles::rows) jobs::add_names(*this, kind.path, kind.more_paths, names);
  return names;
}

std::vector<std::string> JobFiles::names_beside_rows() const {
  std::vector<std::string> names;
  for (const jobs::SearchOutputKind& kind : jobs::search_output_kinds())
    if (kind.merged_path != &JobFiles::rows) jobs::add_names(*this, kind.merged_path, {}, names);
  for (const jobs::PairOutputKind& kind : jobs::pair_output_kinds())
    if (kind.path != &PairFiles::rows)
      jobs::add_names(*this, kind.merged_path, kind.merged_more_paths, names);
  return names;
}

}  // namespace alnus
