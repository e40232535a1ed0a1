// Splits and clusters of edges that are read or kept: the same files as from pairs that are computed in one
// go, and a message for each table that does not fit.
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/similar_sets.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const kRelations[] = {"whole:35", "part:60", "related:0.01", "whole:35,part:60", "score:60"};

class StoredEdges : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_.file(name); }
  std::string read(const std::string& name) const { return read_file(directory_.path() / name); }
  bool exists(const std::string& name) const { return std::filesystem::exists(directory_.path() / name); }

  static AllPairsOptions pair_options(const Database& set, const std::string& relations) {
    AllPairsOptions options;
    options.relations = parse_relations(relations);
    options.strands = default_search_strands(set.alphabet());
    return options;
  }
  // Writes the edges of a set to a file of this name.
  void write_edges(const Database& set, const std::string& relations, const std::string& name) {
    PairFiles files;
    files.edges = file(name);
    session_.all_pairs({set, {}, {}}, scoring(set), pair_options(set, relations), files);
  }
  static Scoring scoring(const Database& set) { return default_scoring("local", set.alphabet()); }

  static SplitOptions split_options(const std::string& relations) {
    SplitOptions options;
    options.similarity.relations = parse_relations(relations);
    options.fractions = {2, 1, 1};
    options.tolerance = 30;
    options.allow_removal = true;
    return options;
  }
  // The bytes of all files of a split.
  std::vector<std::string> split(const Database& set, const SplitOptions& options) {
    split_ = session_.split(set, scoring(set), options,
                            {.csv = file("s.csv"), .ids = file("i"), .certificate = file("c.json")});
    return {read("s.csv"), read("c.json"), read("i.1.ids"), read("i.2.ids"), read("i.3.ids")};
  }
  std::string refused(const Database& set, const SplitOptions& options) {
    std::string text = input_error([&] { split(set, options); });
    EXPECT_FALSE(exists("s.csv")) << text;
    return text;
  }
  // Options that take the edges in a file of this name, and the relations of these edges.
  SplitOptions of_edges(const std::string& name) const {
    SplitOptions options = split_options("whole:35");
    options.similarity.relations.clear();
    options.edge_files.edges = file(name);
    return options;
  }
  json certificate() const { return json::parse(read("c.json"))["predicate"]; }
  CertificateCheck verify(const Database& set) {
    std::vector<std::string> subsets;
    for (const std::uint32_t subset : split_.subset_of)
      subsets.push_back(subset == Split::kRemoved ? "" : split_.subsets[subset].name);
    return session_.verify(file("c.json"), {set}, subsets, scoring(set));
  }

  const TempDir directory_;
  Session session_{session_options()};
  const Database set_{joined(chain(4, 24), strangers(5, 12))};
  Split split_;
};

TEST_F(StoredEdges, GiveTheSameFilesAsComputedOnes) {
  const Database dna(mixed_set(AlphabetKind::dna));
  for (const Database& set : {set_, dna})
    for (const std::string relations : kRelations) {
      if (set.alphabet() == AlphabetKind::dna && relations != "whole:35,part:60") continue;
      const std::string list = set.alphabet() == AlphabetKind::dna ? "whole:85,part:90" : relations;
      SCOPED_TRACE(list);
      SplitOptions options = split_options(list);
      for (const bool removal : {true, false}) {
        options.allow_removal = removal;
        if (!removal) options.bounds = SubsetBounds{0, set.size()};
        const std::vector<std::string> expected = split(set, options);
        const std::uint64_t similar = split_.similar;
        EXPECT_GT(similar, 5u);
        for (const char* name : {"e.tsv", "e.csv.gz", "e.zst"}) {
          SCOPED_TRACE(name);
          write_edges(set, list, name);
          SplitOptions read = options;
          read.edge_files.edges = file(name);
          EXPECT_EQ(split(set, read), expected);
          EXPECT_EQ(split_.pairs, 0u) << "nothing is compared";
          EXPECT_EQ(split_.similar, similar);
          read.similarity.relations.clear();
          EXPECT_EQ(split(set, read), expected);
          EXPECT_EQ(to_string(split_.relations), list);
        }
        SplitOptions kept = options;
        kept.edge_files.checkpoint = file("kept" + list + std::to_string(set.size()));
        const bool is_there = std::filesystem::exists(kept.edge_files.checkpoint);
        EXPECT_EQ(split(set, kept), expected);
        EXPECT_EQ(split_.pairs == 0, is_there);
        EXPECT_EQ(split(set, kept), expected);
        EXPECT_EQ(split_.pairs, 0u) << "nothing is compared again";
        EXPECT_EQ(split_.similar, similar);
      }
    }
}

TEST_F(StoredEdges, OfMergedPartsGiveTheSameFiles) {
  for (const std::string list : kRelations) {
    SCOPED_TRACE(list);
    const std::vector<std::string> expected = split(set_, split_options(list));
    PairFiles files;
    files.edges = file("part.tsv");
    std::vector<std::string> parts;
    for (std::size_t number = 1; number <= 3; ++number) {
      parts.push_back(file(fmt::format("{}.part", number)));
      session_.all_pairs_part({set_, {}, {}}, scoring(set_), pair_options(set_, list), files, {number, 3},
                              parts.back());
    }
    JobFiles merged;
    merged.edges = file("merged.tsv");
    session_.merge(parts, merged);
    write_edges(set_, list, "whole.tsv");
    EXPECT_EQ(read("merged.tsv.json"), read("whole.tsv.json"));
    EXPECT_EQ(split(set_, of_edges("merged.tsv")), expected);
  }
}

TEST_F(StoredEdges, ADatabaseHasTheEdgesOfItsSequences) {
  const std::string fasta = directory_.write_file("p.fa", fasta_of(set_.sequences()));
  session_.make_database({fasta}, file("p.alnus"));
  write_edges(session_.open(fasta), "whole:35", "e.tsv");
  write_edges(session_.open(file("p.alnus")), "whole:35", "d.tsv");
  EXPECT_EQ(read("d.tsv.json"), read("e.tsv.json"));
  const std::vector<std::string> expected = split(session_.open(file("p.alnus")), split_options("whole:35"));
  EXPECT_EQ(split(session_.open(file("p.alnus")), of_edges("e.tsv")), expected);
}

TEST_F(StoredEdges, ClustersAreThoseOfComputedOnes) {
  const Database set(mixed_set(AlphabetKind::protein));
  for (const ClusterPromise promise : {ClusterPromise::components, ClusterPromise::representatives})
    for (const char* list : {"whole:30,part:30", "part:30,related:1", "related:1"}) {
      SCOPED_TRACE(list);
      const bool identities = promise == ClusterPromise::representatives;
      const ClusterFiles files{.tsv = file("c.tsv"), .clstr = identities ? file("c.clstr") : ""};
      const auto cluster = [&](const EdgeFiles& edges) {
        ClusterOptions options;
        options.similarity.relations = parse_relations(list);
        options.promise = promise;
        options.edge_files = edges;
        const Clusters clusters = session_.cluster(set, scoring(set), options, files);
        EXPECT_EQ(to_string(clusters.relations), list);
        return std::pair(read("c.tsv"), identities ? read("c.clstr") : "");
      };
      const auto expected = cluster({});
      write_edges(set, list, "e.csv");
      EXPECT_EQ(cluster({.edges = file("e.csv")}), expected);
      const std::string kept = file(std::string("kept") + list);
      EXPECT_EQ(cluster({.checkpoint = kept}), expected);
      EXPECT_EQ(cluster({.checkpoint = kept}), expected);
    }
}

TEST_F(StoredEdges, WithoutACompanionCountAsGiven) {
  write_edges(set_, "whole:35", "e.tsv");
  const std::vector<std::string> expected = split(set_, of_edges("e.tsv"));
  const std::uint64_t within = certificate()["edges"]["within"], similar = split_.similar;
  // The same edges, in another order and direction, some of them twice.
  std::string text;
  const std::string table = read("e.tsv");
  for (std::size_t end = table.size(); end > 0;) {
    const std::size_t begin = table.rfind('\n', end - 2) + 1;
    const std::string line = table.substr(begin, end - begin), first = line.substr(0, line.find('\t'));
    const std::string second =
        line.substr(first.size() + 1, line.find('\t', first.size() + 1) - first.size() - 1);
    text += fmt::format("{}\t{}\n", second, first);
    if (begin % 3 == 0) text += fmt::format("{}\t{}\n", first, second);
    end = begin;
  }
  directory_.write_file("given.tsv", text);
  const std::vector<std::string> found = split(set_, of_edges("given.tsv"));
  EXPECT_EQ(found.front(), expected.front()) << "the subsets are the same";
  EXPECT_EQ(split_.similar, similar);
  EXPECT_THAT(split_.relations, IsEmpty());
  EXPECT_EQ(certificate()["edges"]["origin"], "edges as given");
  EXPECT_EQ(certificate()["edges"]["within"], within);
  EXPECT_EQ(certificate()["pairs_compared"], json({{"across", 0}, {"within", 0}}));
  EXPECT_THAT(certificate()["relations"], IsEmpty());
  const CertificateCheck check = verify(set_);
  EXPECT_THAT(check.failures, IsEmpty());
  EXPECT_THAT(check.relations, IsEmpty());
  EXPECT_EQ(check.pairs, 0u) << "there is no relation to compare by";
  // With relations that the caller names, pairs can be compared.
  SplitOptions named = of_edges("given.tsv");
  named.similarity.relations = parse_relations("whole:35");
  split(set_, named);
  EXPECT_EQ(certificate()["relations"][0]["threshold"], "35");
  EXPECT_THAT(verify(set_).failures, IsEmpty());
  EXPECT_GT(verify(set_).pairs, 100u);
  named.similarity.relations = parse_relations("whole:20");
  split(set_, named);
  EXPECT_GT(verify(set_).similar, 0u) << "they are not the edges of whole:20";
}

TEST_F(StoredEdges, GivenEdgesNeedNoIdentities) {
  directory_.write_file("given.tsv", "w0\tw1\nw1\tw2\n");
  ClusterOptions options;
  options.similarity.relations.clear();
  options.promise = ClusterPromise::representatives;
  options.identities = true;
  options.edge_files.edges = file("given.tsv");
  const Clusters clusters = session_.cluster(set_, scoring(set_), options);
  EXPECT_EQ(clusters.representatives.size(), set_.size() - 1);
  EXPECT_EQ(clusters.representative[1], 0u);
  EXPECT_TRUE(std::isnan(clusters.identity[1]));
  EXPECT_EQ(clusters.representative[2], 2u) << "it is similar to no representative";
}

TEST_F(StoredEdges, GivenEdgesAreKeptInMemoryAsFarAsItHoldsThem) {
  std::string text;
  for (int k = 0; k < 400'000; ++k) text += "w0\tw1\n";
  directory_.write_file("given.tsv", text);
  Session small(session_options(1, 16 << 20));
  EXPECT_THAT(error_of(ErrorKind::memory, [&] { small.split(set_, scoring(set_), of_edges("given.tsv")); }),
              HasSubstr("half of the memory"));
}

TEST_F(StoredEdges, OfOtherSequencesAreRefused) {
  write_edges(set_, "whole:35", "e.tsv");
  const Database fewer(set_.sequences().part(0, 35));
  EXPECT_THAT(refused(fewer, of_edges("e.tsv")),
              AllOf(HasSubstr("e.tsv has the edges of 36 records"), HasSubstr("35 records")));
  const Database renamed(with_ids(set_.sequences(), "x"));
  EXPECT_THAT(refused(renamed, of_edges("e.tsv")), HasSubstr("differs"));
  const Database in_another_order(reversed(set_.sequences()));
  split(in_another_order, of_edges("e.tsv"));
}

TEST_F(StoredEdges, InATableThatWasChangedAreRefused) {
  write_edges(set_, "whole:35", "e.tsv");
  const std::string table = read("e.tsv"), companion = read("e.tsv.json");
  directory_.write_file("e.tsv", table.substr(table.find('\n') + 1));
  EXPECT_THAT(refused(set_, of_edges("e.tsv")),
              AllOf(HasSubstr("e.tsv was changed"), HasSubstr("e.tsv.json")));
  directory_.write_file("e.tsv", table);
  directory_.write_file("e.tsv.json", companion.substr(1));
  EXPECT_THAT(refused(set_, of_edges("e.tsv")), HasSubstr("e.tsv.json is not JSON"));
  std::filesystem::remove(file("e.tsv.json"));
  split(set_, of_edges("e.tsv"));
  EXPECT_EQ(certificate()["edges"]["origin"], "edges as given");
}

// The parameters of part are its own: a companion that has others would make a certificate of what nobody
// computed.
TEST_F(StoredEdges, WithOtherParametersAreRefused) {
  write_edges(set_, "part:35", "e.tsv");
  const std::string companion = read("e.tsv.json");
  for (const auto& [from, to] : {std::pair(R"("evalue": "0.001")", R"("evalue": "0.1")"),
                                 {R"("strands": "plus")", R"("strands": "zzz")"},
                                 {R"("matrix": "BLOSUM62")", R"("matrix": "BLOSUM45")"}}) {
    std::string changed = companion;
    const std::size_t place = changed.find(from);
    ASSERT_NE(place, std::string::npos) << from;
    directory_.write_file("e.tsv.json", changed.replace(place, std::string_view(from).size(), to));
    EXPECT_THAT(refused(set_, of_edges("e.tsv")),
                AllOf(HasSubstr("e.tsv.json has other parameters of part:35"), HasSubstr("remove it")));
  }
  directory_.write_file("e.tsv.json", companion);
  split(set_, of_edges("e.tsv"));
}

TEST_F(StoredEdges, OfOtherRelationsAreRefused) {
  write_edges(set_, "whole:35,score:60", "e.tsv");
  SplitOptions options = of_edges("e.tsv");
  options.similarity.relations = parse_relations("whole:35");
  EXPECT_THAT(refused(set_, options),
              AllOf(HasSubstr("whole:35,score:60"), HasSubstr("relation names whole:35.")));
  options.similarity.relations = parse_relations("whole:35,score:60");
  const Scoring global = default_scoring("global");
  EXPECT_THAT(input_error([&] { session_.split(set_, global, options); }),
              AllOf(HasSubstr("score:60"), HasSubstr("mode local"), HasSubstr("here it is global")));
  const Database dna(mixed_set(AlphabetKind::dna));
  write_edges(dna, "whole:85", "d.tsv");
  options = of_edges("d.tsv");
  options.similarity = {parse_relations("whole:85"), Strands::plus};
  EXPECT_THAT(refused(dna, options), AllOf(HasSubstr("strands both"), HasSubstr("here it is plus")));
}

TEST_F(StoredEdges, AWrongLineIsNamed) {
  directory_.write_file("e.tsv", "w0\tw1\t50\nw0\tnobody\t50\n");
  EXPECT_THAT(refused(set_, of_edges("e.tsv")), AllOf(HasSubstr("e.tsv, line 2"), HasSubstr("'nobody'")));
  EXPECT_THAT(refused(set_, of_edges("none.tsv")), HasSubstr("none.tsv"));
}

TEST_F(StoredEdges, NeedDistinctIds) {
  const Database set(joined(chain(4, 3), chain(5, 3)));
  directory_.write_file("e.tsv", "w0\tw1\n");
  ClusterOptions options;
  options.edge_files.edges = file("e.tsv");
  EXPECT_THAT(input_error([&] { session_.cluster(set, scoring(set), options); }), HasSubstr("'w0'"));
  options.edge_files = {.checkpoint = file("kept")};
  EXPECT_THAT(input_error([&] { session_.cluster(set, scoring(set), options); }), HasSubstr("'w0'"));
}

TEST_F(StoredEdges, AreNotReplacedByOutputs) {
  write_edges(set_, "whole:35", "e.tsv");
  for (const char* name : {"e.tsv", "e.tsv.json"}) {
    const std::string before = read(name);
    EXPECT_THAT(
        input_error([&] { session_.split(set_, scoring(set_), of_edges("e.tsv"), {.csv = file(name)}); }),
        HasSubstr(name));
    EXPECT_EQ(read(name), before);
  }
  SplitOptions both = of_edges("e.tsv");
  both.edge_files.checkpoint = file("kept");
  EXPECT_THAT(refused(set_, both), AllOf(HasSubstr("edges"), HasSubstr("checkpoint")));
}

TEST_F(StoredEdges, AreKeptForOneSimilarityAlone) {
  SplitOptions options = split_options("whole:35");
  options.edge_files.checkpoint = file("kept");
  split(set_, options);
  std::filesystem::remove(file("s.csv"));
  options.similarity.relations = parse_relations("whole:40");
  EXPECT_THAT(refused(set_, options), AllOf(HasSubstr("ledger"), HasSubstr("relation differs")));
  options = split_options("whole:35");
  options.edge_files.checkpoint = file("kept");
  options.fractions = {1, 1};
  session_.split(set_, scoring(set_), options);
  const std::string table = read("kept/edges.csv");
  directory_.write_file("kept/edges.csv", table.substr(1));
  EXPECT_THAT(refused(set_, options), HasSubstr("edges.csv is not as the run left it"));
  directory_.write_file("kept/edges.csv", table);
  std::filesystem::remove(file("kept/edges.csv.json"));
  EXPECT_THAT(refused(set_, options), HasSubstr("edges.csv.json is not as the run left it"));
}

// Edges that are not all those of one set by relations have no companion.
TEST_F(StoredEdges, OfOtherRunsHaveNoCompanion) {
  const auto has_companion = [&](const PairInputs& inputs, const AllPairsOptions& options, bool related,
                                 const std::string& name) {
    PairFiles files;
    files.edges = file(name);
    if (!related) files.edge_threshold = 30;
    session_.all_pairs(inputs, scoring(set_), options, files);
    return exists(name + ".json");
  };
  const AllPairsOptions related = pair_options(set_, "whole:35");
  EXPECT_TRUE(has_companion({set_, {}, {}}, related, true, "a.tsv"));
  EXPECT_FALSE(has_companion({set_, set_, {}}, related, true, "b.tsv"));
  EXPECT_FALSE(has_companion({set_, {}, {}}, {}, false, "c.tsv"));
  EXPECT_FALSE(has_companion({set_, {}, {}}, related, true, "d.npz"));
  EXPECT_FALSE(has_companion({set_, {}, {}}, related, true, "/dev/null"));
  EXPECT_FALSE(std::filesystem::exists("/dev/null.json"));
  AllPairsOptions block = related;
  block.block = Block{{0, 10}, {0, 10}};
  EXPECT_FALSE(has_companion({set_, {}, {}}, block, true, "e.tsv"));
  AllPairsOptions space = pair_options(set_, "related:1");
  space.statistics.residues = 1e6;
  EXPECT_FALSE(has_companion({set_, {}, {}}, space, true, "f.tsv"));
  const Database masked = session_.masked(set_, {.seg = true});
  EXPECT_FALSE(has_companion({masked, {}, {}}, related, true, "g.tsv"));
}

}  // namespace
}  // namespace alnus::test
