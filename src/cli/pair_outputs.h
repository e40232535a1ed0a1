// What alnus allpairs writes: rows, a matrix, distances, edges. Each may be resumed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/report.h"
#include "engine/all_pairs.h"
#include "io/edge_writer.h"
#include "io/ledger.h"
#include "io/matrix_file.h"
#include "io/phylip_writer.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct PairOutputOptions {
  std::string matrix, phylip, edges;  // files; "": not wanted
  io::PairValue value_kind = io::PairValue::identity;
  Denominator denominator = Denominator::alignment;
  bool square = false;
  std::optional<io::MatrixType> matrix_type{};  // by the value, unless chosen
  std::optional<double> edge_threshold{};

  // Rows are written to --output, and to standard output when nothing else is asked for.
  bool rows(const CommonOptions& common) const {
    return !common.output.empty() || (matrix.empty() && phylip.empty() && edges.empty());
  }
  std::optional<engine::MatrixValue> value() const;
  io::MatrixType type() const;
  io::MatrixShape shape(const engine::AllPairs& pairs) const;
  // Throws Error(input) for what contradicts itself or the scoring.
  void check(const engine::AllPairs& pairs, const Scoring& scoring) const;
};

void add_pair_outputs(CLI::App& command, PairOutputOptions& options);

// Bytes by file name.
using OutputSizes = std::map<std::string, std::uint64_t>;

class PairOutputs {
 public:
  // `before`: how far the run was, its outputs as sync() returned them; from the beginning without outputs.
  PairOutputs(const PairOutputOptions& options, const CommonOptions& common, const Scoring& scoring,
              const engine::AllPairs& pairs, const std::string& statistics, const io::Ledger& before,
              const Session& session);
  void write(const engine::Stripe& stripe);
  OutputSizes sync();
  void finish();

 private:
  void write_rows(const engine::Stripe& stripe);

  const PairOutputOptions& options_;
  const CommonOptions& common_;
  const engine::AllPairs& pairs_;
  std::optional<Report> report_;
  std::optional<io::MatrixFile> matrix_;
  std::optional<io::OutputFile> phylip_file_, edge_file_;
  std::optional<io::PhylipWriter> phylip_;
  std::optional<io::EdgeWriter> edges_;
};

}  // namespace alnus::cli
