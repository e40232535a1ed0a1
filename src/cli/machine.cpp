#include "cli/machine.h"

#include <fstream>

namespace alnus::cli {

std::string cpu_model() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return {};
}

}  // namespace alnus::cli
