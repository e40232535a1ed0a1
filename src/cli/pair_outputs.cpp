#include "cli/pair_outputs.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "alnus/error.h"
#include "cli/values.h"

namespace alnus::cli {
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

}  // namespace

std::optional<engine::MatrixValue> PairOutputOptions::value() const {
  if (matrix.empty() && phylip.empty() && edges.empty()) return std::nullopt;
  return engine::MatrixValue{value_kind, denominator};
}

io::MatrixType PairOutputOptions::type() const {
  return matrix_type.value_or(value_kind == io::PairValue::score ? io::MatrixType::int32
                                                                 : io::MatrixType::float32);
}

io::MatrixShape PairOutputOptions::shape(const engine::AllPairs& pairs) const {
  if (!pairs.one_set()) return io::MatrixShape::rectangle(pairs.rows().size(), pairs.columns().size());
  return square ? io::MatrixShape::square(pairs.rows().size())
                : io::MatrixShape::condensed(pairs.rows().size());
}

void PairOutputOptions::check(const engine::AllPairs& pairs, const Scoring& scoring) const {
  if (value_kind != io::PairValue::score && type() == io::MatrixType::int32)
    fail("--matrix-type int32 is for scores; identities and distances are float32.");
  if (value_kind == io::PairValue::score && type() == io::MatrixType::int32 && scoring.scale != 1 &&
      !matrix.empty())
    fail("Scores of this scoring have decimals; choose --matrix-type float32.");
  if (!phylip.empty() && value_kind != io::PairValue::distance)
    fail("--phylip writes distances; choose --matrix-value distance.");
  if (!phylip.empty() && !pairs.one_set())
    fail("--phylip is for the distances within one set; leave --against out.");
  if (square && (matrix.empty() || !pairs.one_set()))
    fail("--square is a form of --matrix-out for one set; with --against the matrix is a rectangle.");
  if (edge_threshold.has_value() == edges.empty())
    fail(
        "--edges FILE and --edge-threshold X go together: the pairs whose value is at least X (of distances: "
        "at most X).");
}

void add_pair_outputs(CLI::App& command, PairOutputOptions& options) {
  constexpr const char* kGroup = "Matrices, distances, edges";
  const auto add_file = [&](const char* name, std::string& path, const char* description) {
    command.add_option(name, path, description)->type_name("FILE")->take_last()->group(kGroup);
  };
  const auto add_word = [&](const char* name, const char* description, const char* default_text,
                            const std::function<void(const std::string&)>& read) {
    command.add_option_function<std::string>(name, read, description)
        ->type_name("WORD")
        ->default_str(default_text)
        ->take_last()
        ->group(kGroup);
  };
  add_file("--matrix-out", options.matrix,
           "A value of every pair as a NumPy array (.npy) in SciPy's condensed order; filters do not matter");
  command
      .add_flag("--square", options.square,
                "The whole symmetric matrix, every sequence with itself included (as --self)")
      ->group(kGroup);
  add_word("--matrix-value",
           "Of matrices, distances and edges: score, identity (percent) or distance (1 - identity)",
           "identity", [&options](const std::string& text) {
             constexpr std::array<std::string_view, 3> kWords = {"score", "identity", "distance"};
             options.value_kind = static_cast<io::PairValue>(choose("--matrix-value", text, kWords));
           });
  add_word("--matrix-type", "float32 or int32 (scores only)", "int32 of scores, else float32",
           [&options](const std::string& text) {
             constexpr std::array<std::string_view, 2> kWords = {"float32", "int32"};
             options.matrix_type = static_cast<io::MatrixType>(choose("--matrix-type", text, kWords));
           });
  add_word(
      "--identity",
      "What identical residues are divided by, in filters too: columns of the alignment, those ungapped, "
      "or the shorter, longer or mean length",
      "alignment", [&options](const std::string& text) {
        constexpr std::array<std::string_view, kDenominators> kWords = {"alignment", "ungapped", "shorter",
                                                                        "longer", "mean"};
        options.denominator = static_cast<Denominator>(choose("--identity", text, kWords));
      });
  add_file("--phylip", options.phylip, "Distances as PHYLIP reads them, lower-triangular");
  add_file("--edges", options.edges,
           "A line for each pair whose value passes --edge-threshold: ids and value");
  command
      .add_option_function<std::string>(
          "--edge-threshold",
          [&options](const std::string& text) {
            const Decimal threshold = parse_score("--edge-threshold", text);
            options.edge_threshold =
                static_cast<double>(threshold.numerator) / static_cast<double>(threshold.denominator);
          },
          "The lowest score or identity, or the highest distance, of an edge")
      ->type_name("X")
      ->take_last()
      ->group(kGroup);
}

PairOutputs::PairOutputs(const PairOutputOptions& options, const CommonOptions& common,
                         const Scoring& scoring, const engine::AllPairs& pairs, const std::string& statistics,
                         const io::Ledger& before, const Session& session)
    : options_(options), common_(common), pairs_(pairs) {
  const auto take_up = [&](const std::string& path) {
    return resume(path, before.outputs, before.next_row == pairs.rows().size());
  };
  if (const Resumed at = take_up(common.output); options.rows(common) && !at.complete)
    report_.emplace(common, scoring, pairs.columns(), pairs.columns().origin(), statistics, session,
                    at.bytes);
  if (const Resumed at = take_up(options.matrix); !options.matrix.empty() && !at.complete)
    matrix_.emplace(options.matrix, options.shape(pairs), options.type(),
                    before.outputs.contains(options.matrix) ? io::AtomicFile::Begin::resumed
                                                            : io::AtomicFile::Begin::empty);
  if (const Resumed at = take_up(options.phylip); !options.phylip.empty() && !at.complete) {
    phylip_file_.emplace(options.phylip, at.bytes);
    phylip_.emplace(*phylip_file_, pairs.rows());
    if (at.bytes == 0) phylip_->begin();
  }
  if (const Resumed at = take_up(options.edges); !options.edges.empty() && !at.complete) {
    edge_file_.emplace(options.edges, at.bytes);
    const io::EdgeRule rule{options.value_kind, options.edge_threshold.value_or(0), scoring.scale};
    if (pairs.one_set())
      edges_.emplace(*edge_file_, rule, pairs.rows(), pairs.self());
    else
      edges_.emplace(*edge_file_, rule, pairs.rows(), pairs.columns());
  }
}

void PairOutputs::write(const engine::Stripe& stripe) {
  if (report_) write_rows(stripe);
  const io::Stripe values{stripe.rows.begin,
                          stripe.rows.end,
                          stripe.columns,
                          {stripe.values.get(), stripe.values ? stripe.rows.size() * stripe.columns : 0}};
  if (matrix_) matrix_->write(values);
  if (phylip_) phylip_->write(values);
  if (edges_) edges_->write(values);
}

void PairOutputs::write_rows(const engine::Stripe& stripe) {
  io::Hit hit;
  for (std::size_t k = 0; k < stripe.listed.size(); ++k) {
    const engine::ListedPair& pair = stripe.listed[k];
    hit.subject_index = pair.j;
    hit.subject = pairs_.columns()[pair.j];
    hit.alignment = {pair.score,   pair.i_begin, pair.i_end,
                     pair.j_begin, pair.j_end,   {pair.cigar.begin(), pair.cigar.end()}};
    hit.counts = pair.counts;
    if (!stripe.identity.empty()) hit.identity = stripe.identity[k];
    if (!stripe.significance.empty()) hit.significance = stripe.significance[k];
    report_->query(pairs_.rows()[pair.i], std::span(&hit, 1), nullptr);
  }
}

OutputSizes PairOutputs::sync() {
  OutputSizes sizes;
  if (report_) sizes[common_.output] = report_->sync();
  if (matrix_) {
    matrix_->sync();
    sizes[options_.matrix] = io::file_bytes(options_.shape(pairs_));
  }
  if (phylip_) sizes[options_.phylip] = phylip_file_->sync();
  if (edges_) sizes[options_.edges] = edge_file_->sync();
  return sizes;
}

void PairOutputs::finish() {
  if (report_) report_->finish();
  if (matrix_) matrix_->commit();
  if (phylip_) phylip_file_->commit();
  if (edges_) edge_file_->commit();
}

}  // namespace alnus::cli
