// Session::audit_clusters: the similar pairs of all pairs, by the clusters of their records.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "alnus/record_sets.h"
#include "api/support/relations.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

// Clusters at random. `left_out`: a record in so many is in none; 0: none is.
RecordSets random_clusters(const SequenceSet& set, unsigned seed, std::size_t count, std::size_t left_out) {
  Random random(seed);
  RecordSets clusters{"clusters.tsv", {}, {}, {}};
  for (std::size_t k = 0; k < count; ++k) clusters.names.push_back(std::to_string(k));
  clusters.representatives.resize(count);
  for (Index i = 0; i < set.size(); ++i) {
    const auto cluster = static_cast<std::uint32_t>(below(random, count));
    const bool out = left_out > 0 && below(random, left_out) == 0;
    clusters.set_of.push_back(out ? RecordSets::kNone : cluster);
    if (!out && (!clusters.representatives[cluster] || below(random, 3) == 0))
      clusters.representatives[cluster] = i;
  }
  return clusters;
}

struct Expected {
  std::vector<PairAcross> across, representatives;
  std::set<Index> records_across;
  std::vector<Index> unrepresented;
  std::uint64_t similar = 0;
};

Expected expected_of(Session& session, const SequenceSet& set, const RecordSets& clusters, Strands strands,
                     const std::string& list) {
  const RelatedInputs inputs{set, {}, strands, default_scoring("local", set.alphabet())};
  const RelatedPairs related = related_pairs(session, inputs, options_of(inputs, list));
  Expected expected;
  std::vector<bool> represented(set.size());
  for (Index second = 0; second < set.size(); ++second)
    for (Index first = 0; first < second; ++first) {
      const std::uint32_t one = clusters.set_of[first], other = clusters.set_of[second];
      if (one == RecordSets::kNone || other == RecordSets::kNone) continue;
      const auto found = related.find({second, first});
      const bool equal =
          set.length(first) > 0 && without_case(set.residues(first)) == without_case(set.residues(second));
      expected.similar += found != related.end() ? 1 : 0;
      if (found == related.end() && !equal) continue;
      const auto& first_one = clusters.representatives[one];
      if (one == other) {
        if (first_one == first) represented[second] = true;
        if (first_one == second) represented[first] = true;
        continue;
      }
      const PairAcross pair = found == related.end()
                                  ? PairAcross{first, second, 100, kEqualResidues}
                                  : PairAcross{first, second, found->second.value,
                                               static_cast<std::uint8_t>(found->second.relation)};
      expected.across.push_back(pair);
      expected.records_across.insert({first, second});
      if (first_one == first && clusters.representatives[other] == second)
        expected.representatives.push_back(pair);
    }
  for (Index i = 0; i < set.size(); ++i)
    if (const std::uint32_t cluster = clusters.set_of[i]; cluster != RecordSets::kNone)
      if (clusters.representatives[cluster] != i && !represented[i]) expected.unrepresented.push_back(i);
  return expected;
}

TEST(ApiClusterAudit, FindsThePairsOfAllPairs) {
  Session session(session_options());
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const Strands strands = default_search_strands(kind);
    const SequenceSet all = joined(assorted(1, kind), assorted(2, kind)), set = joined(all, all.part(0, 30));
    for (const char* list : {"whole:40,part:50", "score:60", "related:1e-9"})
      for (unsigned seed = 1; seed <= 3; ++seed) {
        SCOPED_TRACE(std::string(list) + " " + std::to_string(seed));
        const RecordSets clusters = random_clusters(set, seed, 3 + 6 * seed, seed == 2 ? 5 : 0);
        const Expected expected = expected_of(session, set, clusters, strands, list);
        ClusterAuditOptions options;
        options.similarity.relations = parse_relations(list);
        for (const auto promise : {std::optional<ClusterPromise>(), std::optional(ClusterPromise::components),
                                   std::optional(ClusterPromise::representatives)}) {
          options.promise = promise;
          const ClusterAudit audit =
              session.audit_clusters(set, clusters, default_scoring("local", kind), options);
          EXPECT_TRUE(audit.across == expected.across)
              << audit.across.size() << ", expected " << expected.across.size();
          EXPECT_TRUE(audit.representatives == expected.representatives);
          EXPECT_EQ(audit.unrepresented, expected.unrepresented);
          EXPECT_EQ(audit.similar, expected.similar);
          EXPECT_EQ(audit.records_across, expected.records_across.size());
          EXPECT_EQ(audit.records + audit.left_out, set.size());
          EXPECT_EQ(audit.left_out,
                    static_cast<std::uint64_t>(std::ranges::count(clusters.set_of, RecordSets::kNone)));
          EXPECT_EQ(audit.pairs, std::uint64_t{set.size()} * (set.size() - 1) / 2);
          EXPECT_FALSE(audit.holds);
        }
        EXPECT_GT(expected.across.size(), 20u);
        EXPECT_GT(expected.unrepresented.size(), 3u);
      }
  }
}

// Three sequences, of which the one in the middle has a half of each of the others.
SequenceSet chain() {
  Random random(9);
  std::vector<Residues> pieces;
  for (const std::size_t length : {61, 60, 60, 60}) pieces.push_back(random_sequence(random, length));
  return make_set(std::vector{concatenate({pieces[0], pieces[1]}), concatenate({pieces[1], pieces[2]}),
                              concatenate({pieces[2], pieces[3]})});
}

// The clusters that the library makes keep what they promise, by an audit.
TEST(ApiClusterAudit, TheLibrarysClustersKeepTheirPromises) {
  Session session(session_options());
  const SequenceSet all = joined(assorted(1, AlphabetKind::protein), assorted(2, AlphabetKind::protein)),
                    set = joined(joined(all, all.part(0, 40)), chain());
  std::size_t across = 0;
  for (const char* list : {"whole:50", "part:45", "whole:75,part:90"})
    for (const ClusterPromise promise : {ClusterPromise::components, ClusterPromise::representatives}) {
      ClusterOptions options;
      options.promise = promise;
      options.similarity.relations = parse_relations(list);
      const Clusters found = session.cluster(set, default_scoring(), options);
      RecordSets clusters{"clusters", {}, {}, {}};
      std::map<Index, std::uint32_t> numbers;
      for (const Index representative : found.representatives) {
        numbers[representative] = static_cast<std::uint32_t>(clusters.names.size());
        clusters.names.push_back(std::to_string(representative));
        clusters.representatives.emplace_back(representative);
      }
      for (const Index representative : found.representative)
        clusters.set_of.push_back(numbers[representative]);
      ClusterAuditOptions audited{options.similarity, promise};
      const ClusterAudit audit = session.audit_clusters(set, clusters, default_scoring(), audited);
      EXPECT_TRUE(audit.holds) << list;
      EXPECT_EQ(audit.clusters, found.representatives.size());
      if (promise == ClusterPromise::components) {
        EXPECT_TRUE(audit.across.empty());
      }
      across += audit.across.size();
      audited.similarity.relations = parse_relations("whole:20");
      EXPECT_FALSE(session.audit_clusters(set, clusters, default_scoring(), audited).holds);
    }
  EXPECT_GT(across, 0u) << "members of different clusters may be similar, if representatives are not";
}

TEST(ApiClusterAudit, RefusesClustersThatDoNotFit) {
  Session session(session_options());
  const SequenceSet set = set_of({"MKVWHEAGAWGHEE", "PAWHEAE"});
  const auto refusal = [&](const RecordSets& clusters, std::optional<ClusterPromise> promise) -> std::string {
    try {
      session.audit_clusters(set, clusters, default_scoring(), {{}, promise});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "no error";
  };
  EXPECT_THAT(refusal({"c", {"1"}, {0}, {0}}, {}), HasSubstr("clusters of 1 records"));
  EXPECT_THAT(refusal({"c", {"1"}, {std::nullopt}, {0, 0}}, ClusterPromise::representatives),
              HasSubstr("c does not say which record represents the cluster '1'"));
  EXPECT_EQ(refusal({"c", {"1"}, {std::nullopt}, {0, 0}}, ClusterPromise::components), "no error");
}

// ---- Files ----

TEST(ApiRecordSets, AreReadFromFiles) {
  TempDir directory;
  const SequenceSet set = set_of({"MKV", "PAW", "HEA", "WWW"});
  directory.write_file("c.tsv", "s1\ts1\ns1\ts3\ns0\ts0\n");
  const RecordSets clusters = read_record_sets(directory.file("c.tsv"), set);
  EXPECT_EQ(clusters.names, (std::vector<std::string>{"s1", "s0"}));
  EXPECT_EQ(clusters.set_of, (std::vector<std::uint32_t>{1, 0, RecordSets::kNone, 0}));
  EXPECT_EQ(clusters.representatives, (std::vector<std::optional<Index>>{1, 0}));
  directory.write_file("s.csv", "id,subset\ns2,test\ns0,train\ns3,train\n");
  const RecordSets split = read_record_sets(directory.file("s.csv"), set);
  EXPECT_EQ(split.representatives, (std::vector<std::optional<Index>>(2)));
  const std::vector<Database> databases = databases_of(set, split);
  ASSERT_EQ(databases.size(), 2u);
  EXPECT_EQ(databases[0].name(), "train") << "the largest is the first";
  EXPECT_EQ(databases[0].sequences()[1].id(), "s3");
  EXPECT_EQ(databases[1].name(), "test");
  EXPECT_EQ(databases[1].size(), 1u);
  EXPECT_THROW(read_record_sets(directory.file("s.csv"), set_of({"MKV"})), Error);
}

}  // namespace
}  // namespace alnus::test
