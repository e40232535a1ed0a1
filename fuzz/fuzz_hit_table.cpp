// Takes arbitrary bytes as a table of hits: the reader must refuse them with an Error(input), or return rows
// whose values are in their ranges.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "alnus/error.h"
#include "io/hit_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace alnus;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    io::HitTableReader reader(io::Input(text, "input"));
    std::uint64_t line = 0;
    for (io::TableHit hit; reader.next(hit); line = reader.line()) {
      if (reader.line() <= line || hit.query.empty() || hit.subject.empty()) std::abort();
      if (!(hit.percent_identity >= 0 && hit.percent_identity <= 100)) std::abort();
      if (!(hit.evalue >= 0) || !(hit.bits >= 0)) std::abort();
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
  }
  return 0;
}
