// What alnus allpairs writes: rows, matrices, distances, edges.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/report.h"
#include "engine/all_pairs.h"

namespace CLI {
class App;
}

namespace alnus::cli {

struct PairOutputOptions {
  std::string matrix, phylip, edges;  // files; "": not wanted
  io::PairValue value_kind = io::PairValue::identity;
  Denominator denominator = Denominator::alignment;
  bool square = false, int32 = false;

  // Rows are written to --output, and to standard output when nothing else is asked for.
  bool rows(const CommonOptions& common) const {
    return !common.output.empty() || (matrix.empty() && phylip.empty() && edges.empty());
  }
  std::optional<engine::MatrixValue> value() const;
};

void add_pair_outputs(CLI::App& command, PairOutputOptions& options);

class PairOutputs {
 public:
  PairOutputs(const PairOutputOptions& options, const CommonOptions& common, const Scoring& scoring,
              const engine::AllPairs& pairs, const Session& session);
  void write(const engine::Stripe& stripe);
  void finish();

 private:
  void write_rows(const engine::Stripe& stripe);

  const engine::AllPairs& pairs_;
  const Scoring& scoring_;
  std::optional<Report> report_;
};

}  // namespace alnus::cli
