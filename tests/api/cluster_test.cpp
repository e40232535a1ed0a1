// Session::cluster: components and representatives by the similar pairs of an oracle, and files of clusters.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "alnus/record_sets.h"
#include "api/support/errors.h"
#include "api/support/similar_sets.h"
#include "support/strands_reference.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

struct ClusterInputs {
  std::string name;
  AlphabetKind kind;
  Strands strands;
  std::string relations;
  friend std::ostream& operator<<(std::ostream& out, const ClusterInputs& inputs) {
    return out << inputs.name;
  }
};

const ClusterInputs kClusterInputs[] = {
    {"default_relations", AlphabetKind::protein, Strands::plus, "whole:30,part:30"},
    {"whole", AlphabetKind::protein, Strands::plus, "whole:60"},
    {"related", AlphabetKind::protein, Strands::plus, "related:1e-9"},
    {"scores", AlphabetKind::protein, Strands::plus, "score:60"},
    {"dna", AlphabetKind::dna, Strands::both, "whole:70,part:60"},
    {"dna_plus", AlphabetKind::dna, Strands::plus, "whole:70,part:60"},
};

// Numbers of sequences in the order in which they become representatives.
std::vector<Index> order_of(const SequenceSet& set, const std::vector<double>& priority) {
  std::vector<Index> order(set.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index one, Index other) {
    if (!priority.empty() && priority[one] != priority[other]) return priority[one] > priority[other];
    return set.length(one) > set.length(other);
  });
  return order;
}

// CD-HIT's rule: sequences in their order, each to the first representative that it is similar to.
std::vector<Index> greedy_reference(const SimilarSequences& similar, const std::vector<Index>& order) {
  std::vector<Index> representatives;
  for (const Index i : order)
    if (std::ranges::none_of(representatives, [&](Index known) { return similar(i, known); }))
      representatives.push_back(i);
  return representatives;
}

std::vector<Index> set_cover_reference(const SimilarSequences& similar, const std::vector<Index>& order) {
  std::vector<Index> representatives, left = order;
  while (!left.empty()) {
    Index best = left[0];
    std::ptrdiff_t most = -1;
    for (const Index i : left) {
      const std::ptrdiff_t count = std::ranges::count_if(left, [&](Index k) { return similar(i, k); });
      if (count <= most) continue;
      best = i;
      most = count;
    }
    representatives.push_back(best);
    std::erase_if(left, [&](Index i) { return similar(i, best); });
  }
  return representatives;
}

// Returns for each sequence the first representative that it is similar to.
std::vector<Index> members_of(const SimilarSequences& similar, const std::vector<Index>& representatives,
                              Index count) {
  std::vector<Index> representative;
  for (Index i = 0; i < count; ++i)
    representative.push_back(
        *std::ranges::find_if(representatives, [&](Index known) { return similar(i, known); }));
  return representative;
}

void expect_promise(const SimilarSequences& similar, const Clusters& clusters) {
  for (Index i = 0; i < clusters.representative.size(); ++i)
    EXPECT_TRUE(similar(i, clusters.representative[i])) << i << " is not similar to its representative";
  for (const Index one : clusters.representatives) {
    EXPECT_EQ(clusters.representative[one], one);
    for (const Index other : clusters.representatives)
      EXPECT_TRUE(one == other || !similar(one, other)) << one << " and " << other << " are similar";
  }
}

class ApiCluster : public testing::TestWithParam<ClusterInputs> {
 protected:
  ClusterOptions options(ClusterPromise promise) const {
    ClusterOptions options;
    options.similarity.relations = parse_relations(GetParam().relations);
    if (GetParam().name == "dna_plus") options.similarity.strands = Strands::plus;
    options.promise = promise;
    return options;
  }
  Clusters cluster(const ClusterOptions& options, int threads = 2) const {
    Session session(session_options(threads));
    return session.cluster(set_, scoring_, options);
  }
  // Of -2.5 to 1.5; equal sequences have the same.
  static std::vector<double> priorities_of(const SequenceSet& set) {
    std::vector<double> priorities;
    for (Index i = 0; i < set.size(); ++i) {
      std::size_t sum = 0;
      for (const Residue residue : without_case(set.residues(i))) sum += residue;
      priorities.push_back(static_cast<double>(sum % 5) - 2.5);
    }
    return priorities;
  }

  // The oracle takes as long as all else, so that it is asked once for all tests of the same inputs.
  static const SimilarSequences& similar_of(const ClusterInputs& inputs) {
    static std::map<std::string, SimilarSequences> known;
    const auto found = known.find(inputs.name);
    if (found != known.end()) return found->second;
    return known
        .emplace(inputs.name, SimilarSequences(mixed_set(inputs.kind), inputs.strands, inputs.relations))
        .first->second;
  }

  const SequenceSet set_ = mixed_set(GetParam().kind);
  const std::vector<double> priorities_ = priorities_of(set_);
  const Scoring scoring_ = default_scoring("local", GetParam().kind);
  const SimilarSequences& similar_ = similar_of(GetParam());
};

TEST_P(ApiCluster, ComponentsAreConnected) {
  const std::vector<Index> first = similar_.components();
  std::vector<double> priority(set_.size());
  for (Index i = 0; i < set_.size(); ++i) priority[i] = i % 3;
  for (const std::vector<double>& given : {std::vector<double>(), priority}) {
    ClusterOptions options = this->options(ClusterPromise::components);
    options.priority = given;
    const Clusters clusters = cluster(options);
    ASSERT_EQ(clusters.representative.size(), set_.size());
    std::vector<Index> representatives, representative(set_.size());
    for (const Index i : order_of(set_, given)) {
      const auto known = std::ranges::find_if(representatives, [&](Index k) { return first[k] == first[i]; });
      representative[i] = known == representatives.end() ? i : *known;
      if (known == representatives.end()) representatives.push_back(i);
    }
    EXPECT_EQ(clusters.representatives, representatives);
    EXPECT_EQ(clusters.representative, representative);
    EXPECT_EQ(clusters.equal, similar_.equal_to_earlier());
    EXPECT_TRUE(clusters.identity.empty());
    EXPECT_GT(representatives.size(), 3u) << "the data are no test";
    EXPECT_LT(representatives.size(), set_.size() - 10) << "the data are no test";
  }
}

TEST_P(ApiCluster, GreedyIsTheRuleOfCdHit) {
  for (const std::vector<double>& given : {std::vector<double>(), priorities_}) {
    ClusterOptions options = this->options(ClusterPromise::representatives);
    options.priority = given;
    const Clusters clusters = cluster(options);
    expect_promise(similar_, clusters);
    const std::vector<Index> expected = greedy_reference(similar_, order_of(set_, given));
    EXPECT_EQ(clusters.representatives, expected);
    EXPECT_EQ(clusters.representative, members_of(similar_, expected, set_.size()));
    EXPECT_EQ(clusters.equal, similar_.equal_to_earlier());
  }
}

TEST_P(ApiCluster, SetCoverTakesTheMostSimilar) {
  for (const std::vector<double>& given : {std::vector<double>(), priorities_}) {
    ClusterOptions options = this->options(ClusterPromise::representatives);
    options.choice = RepresentativeChoice::set_cover;
    options.priority = given;
    const Clusters clusters = cluster(options);
    expect_promise(similar_, clusters);
    const std::vector<Index> expected = set_cover_reference(similar_, order_of(set_, given));
    EXPECT_EQ(clusters.representatives, expected);
    EXPECT_EQ(clusters.representative, members_of(similar_, expected, set_.size()));
  }
}

TEST_P(ApiCluster, IdentitiesAreThoseOfTheFirstRelation) {
  const std::vector<Relation> relations = parse_relations(GetParam().relations);
  for (const RepresentativeChoice choice : {RepresentativeChoice::greedy, RepresentativeChoice::set_cover}) {
    ClusterOptions options = this->options(ClusterPromise::representatives);
    options.choice = choice;
    options.identities = true;
    const Clusters clusters = cluster(options);
    ASSERT_EQ(clusters.identity.size(), set_.size());
    int counted = 0;
    for (Index i = 0; i < set_.size(); ++i) {
      const Index representative = clusters.representative[i];
      if (i == representative || similar_.equal(i, representative)) {
        EXPECT_EQ(clusters.identity[i], 100) << i;
        continue;
      }
      const RelatedPair& pair =
          similar_.related().at({std::max(i, representative), std::min(i, representative)});
      const RelationKind kind = relations[static_cast<std::size_t>(pair.relation)].kind;
      if (kind == RelationKind::whole || kind == RelationKind::part)
        EXPECT_NEAR(clusters.identity[i], pair.value, 0.00051) << i << " and " << representative;
      else
        EXPECT_TRUE(std::isnan(clusters.identity[i])) << clusters.identity[i];
      ++counted;
    }
    EXPECT_GT(counted, 3);
  }
}

TEST_P(ApiCluster, ThreadsAndShortcutsChangeNothing) {
  for (const ClusterPromise promise : {ClusterPromise::components, ClusterPromise::representatives}) {
    const ClusterOptions options = this->options(promise);
    const Clusters two = cluster(options), one = cluster(options, 1);
    EXPECT_EQ(one.representative, two.representative);
    EXPECT_EQ(one.representatives, two.representatives);
    SessionOptions without = session_options();
    without.shortcuts = false;
    Session session(without);
    EXPECT_EQ(session.cluster(set_, scoring_, options).representative, two.representative);
  }
}

INSTANTIATE_TEST_SUITE_P(Api, ApiCluster, testing::ValuesIn(kClusterInputs),
                         [](const auto& info) { return info.param.name; });

TEST(ApiClusters, OfASetWithoutEqualOnesCountItsSimilarPairs) {
  Session session(session_options());
  const SequenceSet set = chain(1, 12);
  ClusterOptions options;
  options.similarity.relations = parse_relations("whole:35");
  for (const ClusterPromise promise : {ClusterPromise::components, ClusterPromise::representatives}) {
    options.promise = promise;
    const Clusters clusters = session.cluster(set, default_scoring(), options);
    EXPECT_EQ(clusters.similar, 11u);
    EXPECT_EQ(clusters.pairs, 66u);
    EXPECT_EQ(clusters.equal, 0u);
  }
}

TEST(ApiClusters, AReverseComplementIsInTheSameCluster) {
  Session session(session_options());
  Random random(3);
  const Residues one = random_sequence(random, 80, 4), other = random_sequence(random, 70, 4);
  const std::vector<Residues> sequences = {one, other, other_strand(one), other_strand(other)};
  const SequenceSet set = make_set(sequences, AlphabetKind::dna);
  const Scoring scoring = default_scoring("local", AlphabetKind::dna);
  ClusterOptions options;
  options.similarity.relations = parse_relations("whole:90");
  EXPECT_EQ(session.cluster(set, scoring, options).representative, (std::vector<Index>{0, 1, 0, 1}));
  options.similarity.strands = Strands::plus;
  EXPECT_EQ(session.cluster(set, scoring, options).representative, (std::vector<Index>{0, 1, 2, 3}));
}

TEST(ApiClusters, OfNothingAndOfOne) {
  Session session(session_options());
  for (const ClusterPromise promise : {ClusterPromise::components, ClusterPromise::representatives}) {
    ClusterOptions options;
    options.promise = promise;
    EXPECT_TRUE(session.cluster(SequenceSet(), default_scoring(), options).representatives.empty());
    EXPECT_EQ(session.cluster(set_of({"MKV"}), default_scoring(), options).representative,
              (std::vector<Index>{0}));
    // Equal sequences are similar, however short they are.
    EXPECT_EQ(session.cluster(set_of({"MK", "W", "mk", "W"}), default_scoring(), options).representative,
              (std::vector<Index>{0, 1, 0, 1}));
  }
}

class ApiClusterFiles : public testing::Test {
 protected:
  ApiClusterFiles() { files_.tsv = directory_.file("c.tsv"); }
  static ClusterOptions representatives() {
    ClusterOptions options;
    options.promise = ClusterPromise::representatives;
    return options;
  }
  std::string refused(const SequenceSet& set, const ClusterOptions& options) {
    std::string error = input_error([&] { session_.cluster(set, scoring_, options, files_); });
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path())) << error;
    return error;
  }
  // Expects that a file says what the result does.
  void expect_file(const std::string& path, const SequenceSet& set, const Clusters& clusters) {
    SCOPED_TRACE(path);
    const RecordSets read = read_record_sets(path, set);
    ASSERT_EQ(read.names.size(), clusters.representatives.size());
    for (std::size_t k = 0; k < read.names.size(); ++k)
      EXPECT_EQ(read.representatives[k], clusters.representatives[k]) << "the order of clusters";
    for (Index i = 0; i < set.size(); ++i) {
      ASSERT_NE(read.set_of[i], RecordSets::kNone) << i;
      EXPECT_EQ(read.representatives[read.set_of[i]], clusters.representative[i]) << i;
    }
  }

  const TempDir directory_;
  Session session_{session_options()};
  const SequenceSet set_ = mixed_set(AlphabetKind::protein);
  const Scoring scoring_ = default_scoring();
  ClusterFiles files_;
};

TEST_F(ApiClusterFiles, SayWhatTheResultSays) {
  ClusterOptions options;
  expect_file(files_.tsv, set_, session_.cluster(set_, scoring_, options, files_));
  files_.clstr = directory_.file("c.clstr");
  for (const RepresentativeChoice choice : {RepresentativeChoice::greedy, RepresentativeChoice::set_cover}) {
    options = representatives();
    options.choice = choice;
    const Clusters clusters = session_.cluster(set_, scoring_, options, files_);
    expect_file(files_.tsv, set_, clusters);
    expect_file(files_.clstr, set_, clusters);
  }
}

TEST_F(ApiClusterFiles, HaveTheirUsualForms) {
  const SequenceSet set = set_of(
      {"WWWWCCCCHHHH", "WWWWCCCCHHHHWWWWKRKR", "MKVMKV", "wwwwcccchhhhwwwwkrkr", "WWWWCCCCHHHHWWWWKRKK"});
  ClusterOptions options = representatives();
  options.similarity.relations = parse_relations("whole:50");
  files_.clstr = directory_.file("c.clstr");
  session_.cluster(set, scoring_, options, files_);
  EXPECT_EQ(read_file(files_.tsv), "s1\ts1\ns1\ts0\ns1\ts3\ns1\ts4\ns2\ts2\n");
  EXPECT_EQ(read_file(files_.clstr),
            ">Cluster 0\n0\t20aa, >s1... *\n1\t12aa, >s0... at 60.00%\n2\t20aa, >s3... at 100.00%\n"
            "3\t20aa, >s4... at 95.00%\n>Cluster 1\n0\t6aa, >s2... *\n");
}

TEST_F(ApiClusterFiles, OfADatabaseFileAreThoseOfItsFasta) {
  const std::string fasta = directory_.write_file("p.fa", fasta_of(set_)),
                    stored = directory_.file("p.alnus");
  session_.make_database({fasta}, stored);
  files_.clstr = directory_.file("c.clstr");
  ClusterOptions options = representatives();
  for (Index i = 0; i < set_.size(); ++i) options.priority.push_back(i % 3);
  const Clusters of_fasta = session_.cluster(session_.open(fasta), scoring_, options, files_);
  const std::string tsv = read_file(files_.tsv), clstr = read_file(files_.clstr);
  const Clusters of_database = session_.cluster(session_.open(stored), scoring_, options, files_);
  EXPECT_EQ(of_database.representative, of_fasta.representative);
  EXPECT_EQ(of_database.representatives, of_fasta.representatives);
  EXPECT_EQ(read_file(files_.tsv), tsv);
  EXPECT_EQ(read_file(files_.clstr), clstr);
  EXPECT_EQ(session_.cluster(set_, scoring_, options).representative, of_fasta.representative);
  options.promise = ClusterPromise::components;
  EXPECT_EQ(session_.cluster(session_.open(stored), scoring_, options).representative,
            session_.cluster(session_.open(fasta), scoring_, options).representative);
}

TEST_F(ApiClusterFiles, AreNotWrittenIfOptionsAreWrong) {
  ClusterOptions options;
  options.similarity.relations.clear();
  EXPECT_THAT(refused(set_, options), HasSubstr("relation"));
  options = {};
  options.similarity.relations = {{RelationKind::whole, 0.3}};
  EXPECT_THAT(refused(set_, options), HasSubstr("whole:30"));
  options = {};
  options.priority = {1, 2};
  EXPECT_THAT(refused(set_, options), HasSubstr("priorit"));
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    options.priority.assign(set_.size(), 0);
    options.priority[4] = wrong;
    EXPECT_THAT(refused(set_, options), HasSubstr("priorit"));
  }
  options = {};
  options.identities = true;
  EXPECT_THAT(refused(set_, options), HasSubstr("identities"));
  options = {};
  files_.clstr = directory_.file("c.clstr");
  EXPECT_THAT(refused(set_, options), HasSubstr("clstr"));
}

TEST_F(ApiClusterFiles, NeedIdsOfTheirOwn) {
  const SequenceSet repeated = joined(set_of({"MKVW", "HHHH"}), set_of({"WWWW"}));
  EXPECT_THAT(refused(repeated, {}), HasSubstr("s0"));
  EXPECT_EQ(session_.cluster(repeated, scoring_).representatives.size(), 3u)
      << "without files ids may repeat";
}

TEST_F(ApiClusterFiles, MustDiffer) {
  files_.clstr = files_.tsv;
  EXPECT_THAT(refused(set_, representatives()), HasSubstr("c.tsv"));
}

// Equal sequences are similar even if they are too short for a relation, whatever their priorities are.
TEST(ApiClusters, EqualOnesOfDifferentPriorityHaveOneRepresentative) {
  Session session(session_options());
  for (const RepresentativeChoice choice : {RepresentativeChoice::greedy, RepresentativeChoice::set_cover}) {
    ClusterOptions options;
    options.similarity.relations = parse_relations("score:60");
    options.promise = ClusterPromise::representatives;
    options.choice = choice;
    options.priority = {0, 1, 0};
    EXPECT_EQ(session.cluster(set_of({"CA", "CA", "CA"}), default_scoring(), options).representative,
              (std::vector<Index>{1, 1, 1}));
  }
}

}  // namespace
}  // namespace alnus::test
