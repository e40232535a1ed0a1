// Takes arbitrary bytes as the companion of a table of edges: the reader must refuse them with an
// Error(input), or return a companion that is written and read as the same again.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "alnus/error.h"
#include "io/edge_companion.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alnus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string written = io::to_json(io::parse_edge_companion(text, "input"));
    if (io::to_json(io::parse_edge_companion(written, "again")) != written) std::abort();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
  }
  return 0;
}
