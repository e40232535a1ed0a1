// --score-plot: the picture of a search's scores.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/inputs.h"
#include "engine/search.h"
#include "io/output_file.h"

namespace alnus::cli {

// The file is opened at once, and complete after finish() or not there.
class ScorePlot {
 public:
  explicit ScorePlot(const std::string& path) : out_(path) {}
  void add(std::span<const io::Hit> hits);
  void finish(const Inputs& inputs, const Scoring& scoring, const engine::StatisticsOptions& statistics,
              const engine::ScoreHistogram& histogram);

 private:
  io::OutputFile out_;
  std::vector<double> hits_;  // scores, scaled
};

}  // namespace alnus::cli
