#include "cuda/search_on.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>

#include "support/device_check.h"

namespace alnus::test {
namespace {

std::string show(const FoundHit& hit) {
  return fmt::format("query {}, subject {}: {}, {} bits, E-value {}", hit.query, hit.subject,
                     describe(hit.alignment), hit.bits.value_or(-1), hit.evalue.value_or(-1));
}

}  // namespace

Found search_on(const std::vector<Device*>& devices, const SequenceSet& queries, const SequenceSet& database,
                const Scoring& scoring, const engine::SearchOptions& options) {
  Found found;
  std::mutex mutex;
  engine::Progress progress;
  progress.warn = [&](const std::string& warning) {
    const std::lock_guard lock(mutex);
    found.warnings.push_back(warning);
  };
  engine::search(queries, database, scoring, options, devices, progress,
                 [&](SequenceSet::Index query, std::span<const io::Hit> hits, const stats::QueryStatistics*) {
                   for (const io::Hit& hit : hits) {
                     EXPECT_EQ(hit.subject.header, database[hit.subject_index].header);
                     found.hits.push_back({query, hit.subject_index, hit.alignment, hit.significance.bits,
                                           hit.significance.evalue});
                   }
                 });
  return found;
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
