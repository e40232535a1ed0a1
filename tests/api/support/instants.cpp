#include "api/support/instants.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "alnus/error.h"
#include "api/support/inputs.h"
#include "api/support/process.h"

namespace alnus::test {
namespace {

using Clock = std::chrono::steady_clock;

// A call that ends by itself more than this many seconds after the request has ignored the request. The limit
// is long because sanitizers on a busy machine are slow.
constexpr double kIgnored = 20;
// Threads that the pool of a session with two threads may keep besides those of its first call.
constexpr std::size_t kKeptThreads = 4;

double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

double measured(const CancelledCall& call) {
  const Clock::time_point begin = Clock::now();
  call.run({});
  const double seconds = seconds_between(begin, Clock::now());
  call.check(false);
  return seconds;
}

// Cancels the call after `delay` seconds. Returns the seconds from the request to the return, or nothing if
// the call ended by itself.
std::optional<double> cancelled(const CancelledCall& call, double delay) {
  std::stop_source source;
  Clock::time_point requested;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::duration<double>(delay));
    requested = Clock::now();
    source.request_stop();
  });
  RunControl run;
  run.stop = source.get_token();
  bool interrupted = false;
  try {
    call.run(run);
  } catch (const Interrupted&) {
    interrupted = true;
  }
  const Clock::time_point back = Clock::now();
  canceller.join();
  call.check(interrupted);
  if (!interrupted) {
    EXPECT_LE(seconds_between(requested, back), kIgnored) << "the request was ignored";
    return {};
  }
  EXPECT_GE(back, requested) << "interrupted before anyone asked for it";
  return seconds_between(requested, back);
}

}  // namespace

void cancel_at_random_instants(const CancelledCall& call) {
  SCOPED_TRACE(call.name);
  const int instants = by_size(5, 100);
  const double whole = call.seconds > 0 ? call.seconds : measured(call);
  std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(call.name)));
  std::vector<double> returns;
  std::size_t threads = 0, files = 0;  // after the first run
  // On a busy machine a call of some milliseconds may end by itself before each of the instants. Then up to
  // 50 more are tried.
  int k = 0;
  for (; k < instants || (returns.empty() && k < instants + 50); ++k) {
    const double part = std::generate_canonical<double, 32>(random);
    const double delay = whole * (k % 2 == 0 ? part * 0.1 : part * 0.9);
    if (const auto seconds = cancelled(call, delay)) returns.push_back(*seconds);
    if (k == 0) threads = threads_of_process().size(), files = open_files();
  }
  EXPECT_FALSE(returns.empty()) << "it was never interrupted";
  EXPECT_LE(open_files(), files) << "files were left open";
  // A pool starts a thread for each of its tasks that wait for each other, and keeps the threads. The first
  // run may have needed fewer threads than a later one.
  EXPECT_TRUE(soon([&] { return threads_of_process().size() <= threads + kKeptThreads; }))
      << "threads were left behind";
  if (returns.empty()) return;
  std::ranges::sort(returns);
  const double longest = returns.back(), most = returns[(returns.size() - 1) * 99 / 100];
  std::printf("  %s: %d instants within %.3f s, interrupted at %zu, back after %.3f s (99%%), %.3f s (all)\n",
              call.name.c_str(), k, whole, returns.size(), most, longest);
  testing::Test::RecordProperty("milliseconds_of_return", static_cast<int>(longest * 1000));
  if (!full_tests() || kSanitized) return;
  EXPECT_LE(most, 0.2);
  EXPECT_LE(longest, 0.5);
}

}  // namespace alnus::test
