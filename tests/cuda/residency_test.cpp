// Which sequences stay resident on a GPU, and how much of its memory they take.
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cpu/cpu_device.h"
#include "cuda/cuda_device.h"
#include "cuda/cuda_sequences.h"
#include "cuda/limits.h"
#include "cuda/search_on.h"
#include "engine/search_driver.h"
#include "support/device_check.h"
#include "support/engine_call.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

std::vector<Residues> random_sequences(unsigned seed, std::size_t count) {
  Random random(seed);
  std::vector<Residues> all;
  for (std::size_t k = 0; k < count; ++k) all.push_back(random_sequence(random, 20 + below(random, 40)));
  return all;
}

TEST(CudaResidency, TheSameSequencesAreLoadedOnce) {
  const auto device = cuda::make_cuda_device({});
  const std::vector<Residues> sequences{repeat("AC", 9), repeat("CA", 9), repeat("W", 4)};
  const SequenceSet set = make_set(sequences);
  const auto database = sorted(set);
  const auto loaded = device->load(database);
  EXPECT_EQ(&loaded->sorted(), database.get());
  EXPECT_EQ(device->load(database), loaded);
  EXPECT_EQ(device->load(sorted(set)), loaded);
  EXPECT_NE(device->load(sorted(make_set(sequences))), loaded);
  const std::vector<Rank> other_order{Rank{1}, Rank{0}, Rank{2}};
  EXPECT_NE(device->load(std::make_shared<const SortedSequences>(set, other_order)), loaded);
}

TEST(CudaResidency, ADatabaseStaysFromSearchToSearch) {
  const auto device = cuda::make_cuda_device({});
  Device* const pointer = device.get();
  const SequenceSet set = make_set(random_sequences(1, 30));
  const auto database = sorted(set);
  const std::weak_ptr<const DeviceSequences> loaded = device->load(database);
  EngineCall call({&pointer, 1});
  for (unsigned seed = 2; seed < 8; ++seed) {
    const SequenceSet queries = make_set(random_sequences(seed, 3));
    FoundHits hits;
    engine::search(queries, seed % 2 == 0 ? database : sorted(set), make_scoring({}),
                   {.asked = {.evalue = 1e9}}, call, [&](SearchBatch& batch) { hits.take(batch); });
    EXPECT_EQ(hits.queries.size(), 3u);
    EXPECT_FALSE(loaded.expired());
  }
  EXPECT_EQ(device->load(database), loaded.lock());
}

// A database, a query, and the hits that the CPU finds.
struct Searched {
  explicit Searched(unsigned seed, std::size_t subjects = 24)
      : database(sorted(make_set(random_sequences(seed, subjects)))),
        queries(make_set(random_sequences(seed + 100, 1))) {
    const auto cpu = cpu::make_cpu_device({});
    Device* const pointer = cpu.get();
    expected = on(*pointer);
  }
  Found on(Device& device) const {
    Device* const pointer = &device;
    EngineCall call({&pointer, 1});
    FoundHits hits;
    engine::search(queries, database, make_scoring({}), {.asked = {.detail = Detail::score, .evalue = 1e9}},
                   call, [&](SearchBatch& batch) { hits.take(batch); });
    return {hits.rows, call.warnings()};
  }

  std::shared_ptr<const SortedSequences> database;
  SequenceSet queries;
  Found expected;
};

// Returns how many bytes of device memory the sequences of this search take.
std::uint64_t resident_bytes_of(const Searched& searched) {
  const auto device = cuda::make_cuda_device({});
  searched.on(*device);
  return device->counters().resident_bytes;
}

// Returns a device with room for `bytes` of resident sequences.
std::unique_ptr<Device> device_with_room(double bytes) {
  return cuda::make_cuda_device(
      {.memory_bytes = static_cast<std::uint64_t>(bytes / cuda::kDatabaseShare) + 1});
}

TEST(CudaResidency, CountsUploadsAndSearchesOfTheSameSequencesNeedNone) {
  const auto device = cuda::make_cuda_device({});
  EXPECT_EQ(device->counters().uploads, 0u);
  const Searched first(1), second(2);
  for (int times = 0; times < 2; ++times)
    for (const Searched* searched : {&first, &second}) searched->on(*device);
  const DeviceCounters counters = device->counters();
  EXPECT_EQ(counters.uploads, 2u);
  EXPECT_EQ(counters.uploaded_bytes, counters.resident_bytes);
  EXPECT_EQ(counters.resident_bytes, resident_bytes_of(first) + resident_bytes_of(second));
  EXPECT_GT(counters.resident_bytes, first.database->set().total_residues());
}

TEST(CudaResidency, ForgottenSequencesLeaveTheDevice) {
  const auto device = cuda::make_cuda_device({});
  const Searched first(1), second(2);
  first.on(*device);
  const std::uint64_t of_first = device->counters().resident_bytes;
  second.on(*device);
  device->forget(second.database);
  EXPECT_EQ(device->counters().resident_bytes, of_first);
  device->forget(second.database);
  device->forget(first.database);
  EXPECT_EQ(device->counters().resident_bytes, 0u);
  EXPECT_TRUE(same_hits(first.expected, first.on(*device)));
  EXPECT_EQ(device->counters().uploads, 3u);
}

TEST(CudaResidency, SequencesOfOneCallAreUnloadedAndThoseOfOthersStay) {
  const auto device = cuda::make_cuda_device({});
  const SequenceSet set = make_set(random_sequences(1, 30));
  const auto database = sorted(set), passing = sorted(make_set(random_sequences(2, 30)));
  const auto kept = device->load(database);
  const std::weak_ptr<const DeviceSequences> dropped = device->load(passing);
  device->unload(*sorted(set));  // another object with the same sequences, which unloads nothing
  device->unload(*passing);
  EXPECT_TRUE(dropped.expired());
  EXPECT_EQ(device->load(database), kept);
}

TEST(CudaResidency, ForgottenSequencesStayAsLongAsACallHasThem) {
  const auto device = cuda::make_cuda_device({});
  const Searched searched(1);
  searched.on(*device);
  std::shared_ptr<const DeviceSequences> loaded = device->load(searched.database);
  device->forget(searched.database);
  EXPECT_GT(device->counters().resident_bytes, 0u);
  const SortedSequences rows(searched.queries);
  Tile tile;
  tile.rows = &rows;
  tile.columns = searched.database.get();
  tile.device_columns = loaded.get();
  tile.row_range = rows.all();
  tile.column_range = searched.database->all();
  Collect sink;
  device->run(tile, {make_scoring({}), Detail::score}, sink);
  EXPECT_EQ(sink.found.size(), std::size_t{rows.size()} * tile.column_range.size());
  EXPECT_EQ(device->counters().uploads, 1u);
  std::jthread([last = std::move(loaded)]() mutable { last.reset(); }).join();
  EXPECT_EQ(device->counters().resident_bytes, 0u);
}

TEST(CudaResidency, SetsThatDoNotFitTogetherTakeTurns) {
  const Searched first(1), second(2);
  const double room = 1.5 * static_cast<double>(resident_bytes_of(first));
  const auto device = device_with_room(room);
  for (std::uint64_t times = 1; times <= 2; ++times) {
    for (const Searched* searched : {&first, &second}) {
      EXPECT_TRUE(same_hits(searched->expected, searched->on(*device)));
      EXPECT_LE(static_cast<double>(device->counters().resident_bytes), room);
    }
    EXPECT_EQ(device->counters().uploads, 2 * times);
  }
}

TEST(CudaResidency, TheSetUsedLongestAgoMakesRoom) {
  const Searched first(1), second(2), third(3);
  const auto device = device_with_room(2.5 * static_cast<double>(resident_bytes_of(first)));
  for (const Searched* searched : {&first, &second, &first, &third}) searched->on(*device);
  EXPECT_EQ(device->counters().uploads, 3u);
  for (const Searched* searched : {&first, &third}) searched->on(*device);
  EXPECT_EQ(device->counters().uploads, 3u);
  second.on(*device);
  EXPECT_EQ(device->counters().uploads, 4u);
}

// Sets that together take just the budget stay, and with a byte less the one used longest ago leaves.
TEST(CudaResidency, SetsThatJustFitStayTogether) {
  const cuda::Letters letters(SubstitutionMatrix::builtin("BLOSUM62"));
  cuda::Stopper stopper;
  cuda::Uploader uploader(stopper);
  const cuda::Stream stream;
  // Returns how many uploads three uses of two sets need, and the bytes of both together.
  const auto uploads_within = [&](std::uint64_t budget) {
    const auto residency = std::make_shared<cuda::Residency>(0, budget);
    const cuda::CudaSequences first(sorted(make_set(random_sequences(1, 9))), residency),
        second(sorted(make_set(random_sequences(2, 9))), residency);
    for (const cuda::CudaSequences* set : {&first, &second, &first}) set->bring(0, letters, stream, uploader);
    EXPECT_LE(residency->counters().resident_bytes, budget);
    EXPECT_EQ(residency->counters().resident_bytes, first.resident_bytes() + second.resident_bytes());
    return std::pair(residency->counters().uploads, residency->counters().uploaded_bytes);
  };
  const auto [uploads, both] = uploads_within(1 << 20);
  EXPECT_EQ(uploads, 2U);
  EXPECT_EQ(uploads_within(both).first, 2U);
  EXPECT_EQ(uploads_within(both - 1).first, 3U);
}

// Up to kKeptSets sets that no call has stay, those used last; sets that have no device memory do not stay.
TEST(CudaResidency, TheLastSetsStayWhenNoCallHasThem) {
  const auto device = cuda::make_cuda_device({});
  std::vector<Searched> searched;
  for (unsigned seed = 1; seed <= cuda::kKeptSets + 2; ++seed) searched.emplace_back(seed, 8);
  for (const Searched& one : searched) one.on(*device);
  std::uint64_t uploads = searched.size();
  EXPECT_EQ(device->counters().uploads, uploads);
  // The last search has kept the kKeptSets sets before its own, which do not include the first set.
  searched[1].on(*device);
  EXPECT_EQ(device->counters().uploads, uploads);
  searched[0].on(*device);
  EXPECT_EQ(device->counters().uploads, ++uploads);
  searched[1].on(*device);
  EXPECT_EQ(device->counters().uploads, uploads) << "it was used shortly before";
  searched[2].on(*device);
  EXPECT_EQ(device->counters().uploads, ++uploads) << "it had been used longest ago";

  const std::weak_ptr<const DeviceSequences> without_memory =
      device->load(sorted(make_set(random_sequences(50, 5))));
  EXPECT_FALSE(without_memory.expired());
  device->load(sorted(make_set(random_sequences(51, 5))));
  EXPECT_TRUE(without_memory.expired());
}

TEST(CudaResidency, ASetThatIsTooLargeStreamsWithinItsRoom) {
  const Searched large(1, 100), small(2);
  const double bytes = static_cast<double>(resident_bytes_of(large));
  for (const double part : {0.7, 0.2}) {
    const auto device = device_with_room(part * bytes);
    for (int times = 0; times < 2; ++times) {
      for (const Searched* searched : {&large, &small}) {
        EXPECT_TRUE(same_hits(searched->expected, searched->on(*device)));
        EXPECT_LE(static_cast<double>(device->counters().resident_bytes), part * bytes + 1);
      }
    }
    EXPECT_GT(static_cast<double>(device->counters().uploaded_bytes), 1.5 * bytes);
  }
}

TEST(CudaResidency, CallsAtATimeWithDifferentSetsShareTheRoom) {
  constexpr unsigned kThreads = 4;
  std::vector<Searched> searched;
  for (unsigned seed = 1; seed <= kThreads; ++seed) searched.emplace_back(seed, 16 + 12 * seed);
  const double room = static_cast<double>(resident_bytes_of(searched.back()));
  const auto device = device_with_room(room);
  std::vector<std::jthread> threads;
  for (const Searched& one : searched)
    threads.emplace_back([&] {
      for (int times = 0; times < 2; ++times) {
        EXPECT_TRUE(same_hits(one.expected, one.on(*device)));
        EXPECT_LE(static_cast<double>(device->counters().resident_bytes), room + 1);
      }
    });
  threads.clear();
  EXPECT_GE(device->counters().uploads, kThreads);
}

TEST(CudaResidency, MethodsOfPapersCountTheirOwnCopy) {
  const auto device = cuda::make_cuda_device({.method = "sw-cuda"});
  const Searched searched(1);
  for (int times = 0; times < 2; ++times) searched.on(*device);
  EXPECT_EQ(device->counters().uploads, 1u);
  EXPECT_EQ(device->counters().uploaded_bytes, device->counters().resident_bytes);
  EXPECT_GT(device->counters().resident_bytes, searched.database->set().total_residues());
  device->forget(searched.database);
  EXPECT_EQ(device->counters().resident_bytes, 0u);
}

// Method pairalign-bits keeps the rows of its last tile on the device, beside the columns.
TEST(CudaResidency, ThePairMethodLoadsItsRowsItself) {
  const auto device = cuda::make_cuda_device({.method = "pairalign-bits"});
  const Searched first(1), second(2);
  for (int times = 0; times < 2; ++times) {
    EXPECT_TRUE(same_hits(first.expected, first.on(*device)));
    EXPECT_EQ(device->counters().uploads, 2u);
  }
  const std::uint64_t of_first = device->counters().resident_bytes;
  EXPECT_GT(of_first, first.database->set().total_residues());
  EXPECT_TRUE(same_hits(second.expected, second.on(*device)));
  EXPECT_EQ(device->counters().uploads, 4u);
  for (const Searched* searched : {&first, &second}) device->forget(searched->database);
  EXPECT_GT(device->counters().resident_bytes, 0u) << "the rows of the second search";
  EXPECT_LT(device->counters().resident_bytes, of_first);
}

TEST(CudaResidency, ThePairMethodUploadsASetWithItselfOnce) {
  const auto device = cuda::make_cuda_device({.method = "pairalign-bits"});
  const auto set = sorted(make_set(random_sequences(1, 20)));
  const auto loaded = device->load(set);
  Tile tile;
  tile.rows = tile.columns = set.get();
  tile.device_columns = loaded.get();
  tile.row_range = tile.column_range = set->all();
  Collect sink;
  device->run(tile, {make_scoring({}), Detail::score}, sink);
  EXPECT_EQ(sink.found.size(), 400u);
  EXPECT_EQ(device->counters().uploads, 1u);
}

}  // namespace
}  // namespace alnus::test
