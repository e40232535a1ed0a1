#include "support/drivers.h"

#include <memory>
#include <optional>
#include <span>

#include "engine/align_driver.h"
#include "engine/align_list.h"
#include "engine/all_pairs_driver.h"
#include "engine/calibrate_driver.h"
#include "engine/identity_range.h"
#include "engine/registry.h"
#include "engine/search_driver.h"
#include "engine/z_values.h"
#include "stats/background.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::test {
namespace {

using Numbers = std::vector<double>;

constexpr double kNone = -1e300;  // replaces a missing number

Scoring scoring() { return make_scoring({}); }

// Returns the scores that the CPU computes.
std::vector<std::int32_t> scores_of(const Job& job, std::span<const IndexPair> pairs) {
  const auto cpu = engine::make_device("cpu", {});
  Device* const device = cpu.get();
  EngineCall call({&device, 1});
  std::vector<std::int32_t> scores;
  engine::align_pairs(sorted(job.queries), sorted(job.database), pairs, scoring(),
                      {.fields = {.detail = Detail::score}}, call, [&](const Columns& batch) {
                        scores.insert(scores.end(), batch.score.begin(), batch.score.end());
                      });
  return scores;
}

Job make_job(std::uint32_t queries, std::uint32_t subjects, std::size_t longest, std::uint32_t pairs,
             std::uint32_t scored) {
  Job job{.queries = random_sequences(31, queries, longest),
          .database = random_sequences(32, subjects, longest),
          .pairs = {},
          .scores = {}};
  for (std::uint32_t k = 0; k < pairs; ++k) job.pairs.push_back({k % queries, k * 7 % subjects});
  job.scores = scores_of(job, std::span(job.pairs).first(scored));
  return job;
}

void add(Numbers& numbers, const std::optional<double>& number) { numbers.push_back(number.value_or(kNone)); }

void add(Numbers& numbers, const Columns& columns) {
  for (const FoundRow& row : rows_of(columns)) {
    const Alignment& a = row.alignment;
    for (const auto number : {static_cast<std::int32_t>(row.query), static_cast<std::int32_t>(row.subject),
                              a.score, a.query_begin, a.query_end, a.subject_begin, a.subject_end})
      numbers.push_back(number);
    for (const CigarRun run : a.cigar) numbers.push_back(run.packed);
    numbers.push_back(row.evalue.value_or(kNone));
  }
}

Numbers search(const Job& job, engine::CallState& call, const OnEmit& on_emit) {
  Numbers numbers;
  FoundHits hits;
  engine::SearchOptions options{.asked = {.max_target_seqs = 10, .evalue = 1e9},
                                .memory_bytes = job.memory_bytes};
  options.statistics = published_statistics(scoring(), job.database);
  engine::search(job.queries, sorted(job.database), scoring(), options, call, [&](SearchBatch& batch) {
    hits.take(batch);
    add(numbers, batch.rows);
    on_emit();
  });
  return numbers;
}

template <class Align>
Numbers align(const Job& job, const Align& align_all_or_pairs, const OnEmit& on_emit) {
  Numbers numbers;
  engine::RowOptions options;
  options.memory_bytes = job.memory_bytes;
  align_all_or_pairs(sorted(job.queries), sorted(job.database), options, [&](const Columns& batch) {
    add(numbers, batch);
    on_emit();
  });
  return numbers;
}

Numbers align_pairs(const Job& job, engine::CallState& call, const OnEmit& on_emit) {
  const auto run = [&](const auto& queries, const auto& subjects, const auto& options, const auto& emit) {
    engine::align_pairs(queries, subjects, job.pairs, scoring(), options, call, emit);
  };
  return align(job, run, on_emit);
}

Numbers align_all(const Job& job, engine::CallState& call, const OnEmit& on_emit) {
  const auto run = [&](const auto& queries, const auto& subjects, const auto& options, const auto& emit) {
    engine::align_all(queries, subjects, scoring(), options, call, emit);
  };
  return align(job, run, on_emit);
}

Numbers all_pairs(const Job& job, const engine::AllPairs& pairs, engine::CallState& call,
                  const OnEmit& on_emit) {
  Numbers numbers;
  engine::AllPairsOptions options;
  options.values = {MatrixValue{}};
  options.memory_bytes = job.memory_bytes;
  options.stripe_cells = 1e9;
  engine::all_pairs(pairs, scoring(), options, {}, call,
                    [&](const engine::Stripe& stripe, const engine::StripeState&) {
                      add(numbers, stripe.listed);
                      for (std::uint32_t row = stripe.rows.begin; row < stripe.rows.end; ++row)
                        for (std::uint32_t k = 0; k < pairs.columns_of(row).size(); ++k)
                          numbers.push_back(stripe.values.front().row(row)[k]);
                      on_emit();
                    });
  return numbers;
}

Numbers all_pairs_of_one(const Job& job, engine::CallState& call, const OnEmit& on_emit) {
  return all_pairs(job, engine::AllPairs(job.database, nullptr, true), call, on_emit);
}

Numbers all_pairs_of_two(const Job& job, engine::CallState& call, const OnEmit& on_emit) {
  return all_pairs(job, engine::AllPairs(job.queries, &job.database, false), call, on_emit);
}

std::span<const IndexPair> scored_pairs(const Job& job) {
  return std::span(job.pairs).first(job.scores.size());
}

Numbers z_values(const Job& job, engine::CallState& call, const OnEmit& /*on_emit*/) {
  Numbers numbers;
  for (const ZValue& value :
       engine::z_values(job.queries, job.database, scored_pairs(job), job.scores, scoring(),
                        {.shuffles = job.shuffles}, job.memory_bytes, call)) {
    add(numbers, value.z);
    add(numbers, value.log_p);
  }
  return numbers;
}

template <int Largest>
Numbers identity_ranges(const Job& job, engine::CallState& call, const OnEmit& /*on_emit*/) {
  engine::Scheduler scheduler(call, sorted(job.queries), sorted(job.database), {scoring(), Detail::score});
  const std::vector<Position> rows = engine::positions_of(scheduler.rows()),
                              columns = engine::positions_of(scheduler.columns());
  std::vector<PositionPair> placed;
  for (const auto& [query, subject] : scored_pairs(job)) placed.push_back({rows[query], columns[subject]});
  Numbers numbers;
  for (const IdentityRange& range :
       engine::identity_ranges(scheduler, placed, job.scores, scoring(), Denominator::alignment, Largest))
    for (const Fraction& end : {range.lowest, range.highest})
      numbers.push_back(static_cast<double>(end.numerator) / static_cast<double>(end.denominator));
  return numbers;
}

Numbers calibrate(const Job& job, engine::CallState& call, const OnEmit& /*on_emit*/) {
  constexpr double kRough = 0.1;
  const Calibration found = engine::calibrate(scoring(), default_background(AlphabetKind::protein), kRough,
                                              job.calibration_length, call);
  return {found.lambda.value, found.lambda.error, found.K.value, found.alpha.value, found.sigma.value};
}

}  // namespace

const Job& short_job() {
  static const Job job = make_job(6, 30, 40, 25, 25);
  return job;
}

const Job& long_job() {
  static const Job job = [] {
    Job made = make_job(400, 2000, 450, 300'000, 30'000);
    made.shuffles = 1000;
    made.calibration_length = 20'000;
    return made;
  }();
  return job;
}

const std::vector<Driver>& drivers() {
  // The largest sums that identity_ranges computes on devices (`largest` of engine/identity_range.h).
  constexpr int kAnyScore = 1'000'000'000, kNoScore = 0;
  static const std::vector<Driver> all = {{"search", search},
                                          {"align_pairs", align_pairs},
                                          {"align_all", align_all},
                                          {"all_pairs_of_one_set", all_pairs_of_one},
                                          {"all_pairs_of_two_sets", all_pairs_of_two},
                                          {"z_values", z_values},
                                          {"identity_ranges", identity_ranges<kAnyScore>},
                                          {"identity_ranges_without_devices", identity_ranges<kNoScore>},
                                          {"calibrate", calibrate}};
  return all;
}

}  // namespace alnus::test
