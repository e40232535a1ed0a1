// Searches with one query after the other in a database that the session's devices hold. For each query it
// prints the median and the shortest time of a call of the public API, and how many uploads to GPUs the calls
// after the first one caused. With --threads N it then searches from N threads at once, --calls times on
// each. If one of their answers differs from that of the same query before, the exit code is 1.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "alnus/alnus.h"

namespace {

using Seconds = std::chrono::duration<double>;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// Returns a sum over subject, score and bit score of all hits of an answer, so that the answer is read and
// can be compared with another one.
double sum_of(const alnus::SearchResult& found) {
  const alnus::Columns& rows = found.hits.rows;
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) sum += rows.subject[i] + 3.0 * rows.score[i] + rows.bits[i];
  return sum;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Searches with one query after the other in a database that devices hold");
  std::string query_file, database_file, devices = "cuda";
  int calls = 51, threads = 0;
  alnus::SearchOptions options{.detail = alnus::Detail::score, .max_target_seqs = 10};
  app.add_option("QUERIES", query_file)->required();
  app.add_option("DATABASE", database_file)->required();
  app.add_option("--devices", devices)->capture_default_str();
  app.add_option("--calls", calls, "With each query; of each thread")->capture_default_str();
  app.add_option("--threads", threads, "That call at once besides")->capture_default_str();
  bool unadjusted = false;
  app.add_flag("--unadjusted", unadjusted, "E-values by the scores themselves, without second scores");
  CLI11_PARSE(app, argc, argv);
  if (unadjusted) {
    options.statistics.composition = alnus::Composition::none;
    options.statistics.low_complexity = alnus::LowComplexity::none;
  }

  alnus::Session session({.devices = devices});
  const auto [queries, database] = session.open_search(query_file, database_file);
  const alnus::Scoring scoring = alnus::make_scoring({});
  std::vector<double> expected;
  for (alnus::Database::Index q = 0; q < queries.size(); ++q) {
    const alnus::Database query = queries.part(q, q + 1);
    expected.push_back(sum_of(session.search(query, database, scoring, options)));
    const std::uint64_t uploads = session.counters().uploads;
    std::vector<double> seconds;
    for (int call = 0; call < calls; ++call) {
      const auto start = std::chrono::steady_clock::now();
      const alnus::SearchResult found = session.search(query, database, scoring, options);
      seconds.push_back(Seconds(std::chrono::steady_clock::now() - start).count());
      if (sum_of(found) != expected.back()) std::abort();
    }
    std::printf("%5zu residues, %d calls: %.3f ms a call (median), %.3f ms the fastest, %llu uploads\n",
                query.sequences().length(0), calls, median(seconds) * 1e3,
                *std::ranges::min_element(seconds) * 1e3,
                static_cast<unsigned long long>(session.counters().uploads - uploads));
  }
  if (threads == 0) return 0;
  std::atomic<int> wrong = 0;
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread)
      running.emplace_back([&, thread] {
        for (int call = 0; call < calls; ++call) {
          const auto q =
              static_cast<alnus::Database::Index>((call * 7 + thread) % static_cast<int>(queries.size()));
          wrong += sum_of(session.search(queries.part(q, q + 1), database, scoring, options)) != expected[q];
        }
      });
  }
  const alnus::SessionCounters counters = session.counters();
  std::printf(
      "%d threads, %d calls each: %.3f s, %d other answers, at most %llu bytes reserved, %llu uploads in "
      "all\n",
      threads, calls, Seconds(std::chrono::steady_clock::now() - start).count(), wrong.load(),
      static_cast<unsigned long long>(counters.peak_reserved_bytes),
      static_cast<unsigned long long>(counters.uploads));
  return wrong == 0 ? 0 : 1;
} catch (const alnus::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return static_cast<int>(error.kind());
}
