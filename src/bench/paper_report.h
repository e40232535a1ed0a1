// Writes the papers' tables beside what was measured here.
#pragma once

#include <string>
#include <vector>

#include "bench/paper_measure.h"

namespace alnus::bench {

struct PaperResults {
  Paper paper;
  PaperFigures figures;
};

struct PaperReport {
  std::vector<DeviceInfo> devices;
  std::string file;  // the file that sequences were drawn from
  std::uint32_t sequences = 0;
  std::uint64_t residues = 0;  // of the file
  double part = 1;
  std::uint32_t runs = 1;
  std::vector<PaperResults> results;
  double seconds = 0;
};

std::string as_markdown(const PaperReport& report, const std::string& command_line);
std::string as_json(const PaperReport& report, const std::string& command_line);

}  // namespace alnus::bench
