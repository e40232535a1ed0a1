#include "cuda/search_on.h"

#include <algorithm>
#include <fmt/format.h>

#include "support/device_check.h"

namespace alnus::test {
namespace {

std::string show(const FoundRow& hit) {
  return fmt::format("query {}, subject {}: {}, {} bits, E-value {}", hit.query, hit.subject,
                     describe(hit.alignment), hit.bits.value_or(-1), hit.evalue.value_or(-1));
}

}  // namespace

Found search_on(const std::vector<Device*>& devices, const SequenceSet& queries, const SequenceSet& database,
                const Scoring& scoring, const engine::SearchOptions& options) {
  EngineCall call(devices);
  FoundHits hits;
  engine::search(queries, sorted(database), scoring, options, call,
                 [&](SearchBatch& batch) { hits.take(batch); });
  return {hits.rows, call.warnings()};
}

testing::AssertionResult same_hits(const Found& expected, const Found& actual) {
  const auto [wanted, got] = std::ranges::mismatch(expected.hits, actual.hits);
  if (wanted == expected.hits.end() && got == actual.hits.end()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << actual.hits.size() << " hits for " << expected.hits.size()
                                     << ", the first that differs\nis       "
                                     << (got == actual.hits.end() ? "missing" : show(*got)) << "\nshall be "
                                     << (wanted == expected.hits.end() ? "missing" : show(*wanted));
}

}  // namespace alnus::test
