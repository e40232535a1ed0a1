// The library's version, and what it runs on.
#include <fstream>
#include <string>

#include "alnus/devices.h"

namespace alnus {

std::string_view version() { return ALNUS_VERSION; }

std::string processor_name() {
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t colon = line.find(": "); line.starts_with("model name") && colon != line.npos)
      return line.substr(colon + 2);
  return {};
}

}  // namespace alnus
