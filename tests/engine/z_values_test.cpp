#include "engine/z_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "core/split_mix.h"
#include "engine/registry.h"
#include "stats/evalue.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/fake_device.h"

namespace alnus::engine {
namespace {

using test::EngineCall;
using test::FakeBehaviour;
using test::FakeDevices;
using test::random_sequences;
using test::Residues;

constexpr std::uint64_t kMemory = 8ULL << 30;

// Returns the values as text with all digits. Values are compared exactly: any difference is a bug.
std::vector<std::string> lines(const std::vector<ZValue>& values) {
  const auto text = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string("none");
  };
  std::vector<std::string> result;
  for (const ZValue& value : values)
    result.push_back(fmt::format("{} {} {} {} {}", text(value.z), text(value.standard_error),
                                 text(value.log_p), text(value.goodness), static_cast<int>(value.side)));
  return result;
}

struct Pairs {
  SequenceSet queries = random_sequences(1, 5, 40), subjects = random_sequences(2, 9, 60);
  std::vector<IndexPair> pairs = {{4, 8}, {0, 0}, {2, 3}, {2, 7}, {3, 1}, {1, 1},
                                  {2, 3}, {0, 8}, {2, 1}, {2, 0}, {2, 2}};

  std::vector<std::int32_t> scores(const Scoring& scoring) const {
    std::vector<std::int32_t> result;
    for (const auto& [query, subject] : pairs)
      result.push_back(
          align_reference(queries.residues(query), subjects.residues(subject), scoring, Detail::score).score);
    return result;
  }
  std::vector<std::string> z_values_on(std::span<Device* const> devices, const Scoring& scoring,
                                       const ShuffleOptions& options,
                                       std::uint64_t memory_bytes = kMemory) const {
    EngineCall call(devices);
    const auto result =
        lines(z_values(queries, subjects, pairs, scores(scoring), scoring, options, memory_bytes, call));
    EXPECT_EQ(call.progress().cells_done, call.progress().cells_total);
    EXPECT_EQ(call.progress().pairs_done, call.progress().pairs_total);
    return result;
  }
};

Residues shuffled(std::span<const Residue> residues, std::uint64_t seed, std::uint32_t number) {
  Residues result(residues.size());
  Shuffler(residues, seed).shuffle(number, result.data());
  return result;
}

// Returns the values by their definition, computed pair after pair.
std::vector<std::string> expected(const Pairs& of, const Scoring& scoring, const ShuffleOptions& options) {
  const auto parameters = stats::published_parameters(scoring);
  const std::vector<std::int32_t> scores = of.scores(scoring);
  std::vector<ZValue> values;
  for (std::size_t k = 0; k < of.pairs.size(); ++k) {
    const auto query = of.queries.residues(of.pairs[k].query),
               subject = of.subjects.residues(of.pairs[k].subject);
    std::vector<std::int32_t> of_query, of_subject;
    for (std::uint32_t number = 0; number < options.shuffles; ++number) {
      if (options.sides != ShuffleOptions::Sides::subject)
        of_query.push_back(
            align_reference(shuffled(query, options.seed, number), subject, scoring, Detail::score).score);
      if (options.sides != ShuffleOptions::Sides::query)
        of_subject.push_back(
            align_reference(query, shuffled(subject, options.seed, number), scoring, Detail::score).score);
    }
    values.push_back(stats::z_value(scores[k], {of_query, of_subject},
                                    {.mode = scoring.mode,
                                     .free_ends = scoring.free_ends,
                                     .query_length = query.size(),
                                     .subject_length = subject.size(),
                                     .alpha = parameters ? parameters->alpha / scoring.scale : 0,
                                     .beta = parameters ? parameters->beta : 0}));
  }
  return lines(values);
}

TEST(ZValues, AreThoseOfTheDefinitionInEveryMode) {
  const Pairs pairs;
  // The scores depend on which sequence is the query.
  const SubstitutionMatrix asymmetric = test::matrix_of(
      [](int query, int subject) { return query == subject ? 6 + query % 3 : (query < subject) - 3; });
  std::vector<test::ModeAndEnds> modes = test::main_modes();
  modes.push_back({Mode::semiglobal, {.query_begin = true, .subject_end = true}});
  for (const test::ModeAndEnds& mode : modes) {
    for (const Scoring& scoring :
         {test::scoring_of(mode, {11, 1}), test::scoring_of(mode, {7, 2}, asymmetric)}) {
      const ShuffleOptions options{.shuffles = 40, .seed = 7};
      EXPECT_EQ(pairs.z_values_on(FakeDevices().pointers, scoring, options),
                expected(pairs, scoring, options))
          << test::name_of(mode);
    }
  }
}

TEST(ZValues, OfEitherSide) {
  const Pairs pairs;
  const Scoring scoring = make_scoring({});
  for (const auto sides : {ShuffleOptions::Sides::query, ShuffleOptions::Sides::subject}) {
    const ShuffleOptions options{.shuffles = 30, .sides = sides};
    EXPECT_EQ(pairs.z_values_on(FakeDevices().pointers, scoring, options), expected(pairs, scoring, options));
  }
}

TEST(ZValues, AnyDevicesAndBatchesGiveTheSame) {
  const Pairs pairs;
  const Scoring scoring = make_scoring({});
  const ShuffleOptions options{.shuffles = 50};
  const auto one = pairs.z_values_on(FakeDevices().pointers, scoring, options);
  EXPECT_EQ(pairs.z_values_on(
                FakeDevices({{.dawdle = true, .hands_over_scores = true}, {.concurrency = 3}}).pointers,
                scoring, options),
            one);
  for (const Backend& backend : backends()) {
    if (backend.name != "cpu") continue;
    for (const std::string& isa : backend.isas) {
      for (const int threads : {1, 2}) {
        const auto devices = make_devices({.devices = "cpu", .isa = isa, .threads = threads});
        EXPECT_EQ(pairs.z_values_on(std::vector<Device*>{devices.front().get()}, scoring, options), one)
            << isa;
      }
    }
  }
  // With these limits a batch has one shuffle, some shuffles of a pair, or some pairs.
  for (const std::uint64_t bytes : {1, 16 * 3000, 16 * 30000}) {
    EXPECT_EQ(pairs.z_values_on(FakeDevices(std::vector<FakeBehaviour>{{.hands_over_scores = true}}).pointers,
                                scoring, options, bytes),
              one)
        << bytes;
  }
}

TEST(ZValues, DoNotDependOnTheOtherPairs) {
  Pairs pairs;
  const Scoring scoring = make_scoring({});
  const ShuffleOptions options{.shuffles = 50};
  const auto all = pairs.z_values_on(FakeDevices().pointers, scoring, options);
  Pairs reversed = pairs;
  std::reverse(reversed.pairs.begin(), reversed.pairs.end());
  auto found = reversed.z_values_on(FakeDevices().pointers, scoring, options);
  std::reverse(found.begin(), found.end());
  EXPECT_EQ(found, all);
  for (std::size_t k = 0; k < pairs.pairs.size(); ++k) {
    Pairs alone = pairs;
    const auto [query, subject] = pairs.pairs[k];
    alone.queries = pairs.queries.part(query, query + 1);
    alone.subjects = pairs.subjects.part(subject, subject + 1);
    alone.pairs = {{0, 0}};
    EXPECT_EQ(alone.z_values_on(FakeDevices().pointers, scoring, options).front(), all[k]);
  }
}

TEST(ZValues, NoneWhereShufflingChangesNothing) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (const char* letters : {"", "W", "AAAAAAAA", "MKVLAWGHE"}) builder.add_text("", letters);
  const SequenceSet set = builder.finish();
  std::vector<IndexPair> pairs;
  for (SequenceSet::Index query = 0; query < 4; ++query)
    for (SequenceSet::Index subject = 0; subject < 4; ++subject) pairs.push_back({query, subject});
  for (const test::ModeAndEnds& mode : test::main_modes()) {
    const FakeDevices devices;
    EngineCall call(devices.pointers);
    const std::vector<std::int32_t> scores(pairs.size(), 5);
    const auto values =
        z_values(set, set, pairs, scores, test::scoring_of(mode, {11, 1}), {.shuffles = 20}, kMemory, call);
    for (std::size_t k = 0; k + 1 < pairs.size(); ++k) {
      EXPECT_FALSE(values[k].z || values[k].standard_error || values[k].log_p || values[k].goodness);
    }
    EXPECT_TRUE(values.back().z && std::isfinite(*values.back().z) && std::isfinite(*values.back().log_p));
  }
}

TEST(ZValues, OptionsOutOfRange) {
  const Pairs pairs;
  const Scoring scoring = make_scoring({});
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  EXPECT_THROW(z_values(pairs.queries, pairs.subjects, pairs.pairs, pairs.scores(scoring), scoring,
                        {.shuffles = 9}, kMemory, call),
               Error);
  for (const IndexPair wrong : {IndexPair{5, 0}, {0, 9}})  // there are 5 queries and 9 subjects
    EXPECT_THROW(z_values(pairs.queries, pairs.subjects, {&wrong, 1}, std::vector<std::int32_t>{1}, scoring,
                          {}, kMemory, call),
                 Error);
  EXPECT_TRUE(z_values(pairs.queries, pairs.subjects, {}, {}, scoring, {}, kMemory, call).empty());
}

TEST(ZValues, StopWhenAsked) {
  const Pairs pairs;
  const Scoring scoring = make_scoring({});
  const FakeDevices devices;
  EngineCall call(devices.pointers);
  call.progress().stop.request();
  EXPECT_THROW(
      z_values(pairs.queries, pairs.subjects, pairs.pairs, pairs.scores(scoring), scoring, {}, kMemory, call),
      Interrupted);
}

TEST(Shuffler, PermutesAndDependsOnResiduesSeedAndNumberOnly) {
  test::Random random(1);
  for (const std::size_t length : {0, 1, 2, 7, 400}) {
    const Residues residues = test::random_sequence(random, length);
    Residues sorted = shuffled(residues, 1, 0), of_original = residues;
    std::sort(sorted.begin(), sorted.end());
    std::sort(of_original.begin(), of_original.end());
    EXPECT_EQ(sorted, of_original);
  }
  const Residues residues = test::random_sequence(random, 400);
  const Residues copy = residues;
  EXPECT_EQ(shuffled(residues, 1, 5), shuffled(copy, 1, 5));
  EXPECT_NE(shuffled(residues, 1, 5), residues);
  EXPECT_NE(shuffled(residues, 1, 5), shuffled(residues, 1, 6));
  EXPECT_NE(shuffled(residues, 1, 5), shuffled(residues, 2, 5));
  Residues lower = residues;
  for (Residue& residue : lower) residue |= kLowerCase;
  Residues lower_shuffled = shuffled(residues, 1, 5);
  for (Residue& residue : lower_shuffled) residue |= kLowerCase;
  EXPECT_EQ(shuffled(lower, 1, 5), lower_shuffled);
}

TEST(Shuffler, AllPermutationsAreEquallyLikely) {
  const Residues residues = test::encode("ARND");
  std::map<std::string, int> counts;
  constexpr int kShuffles = 24000;
  for (int number = 0; number < kShuffles; ++number)
    ++counts[test::decode(shuffled(residues, 3, static_cast<std::uint32_t>(number)))];
  ASSERT_EQ(counts.size(), 24u);
  double chi_square = 0;
  for (const auto& [permutation, count] : counts) chi_square += (count - 1000) * (count - 1000) / 1000.0;
  EXPECT_LT(chi_square, 50);  // with 23 degrees of freedom, 1 of 1000 such sums is higher
  EXPECT_GT(chi_square, 6);
}

}  // namespace
}  // namespace alnus::engine
