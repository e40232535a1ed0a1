// Session::split: subsets without similar pairs across, by the pairs of an oracle, and files of subsets.
#include <algorithm>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "alnus/devices.h"
#include "alnus/record_sets.h"
#include "alnus/text.h"
#include "api/support/errors.h"
#include "api/support/similar_sets.h"
#include "io/certificate.h"
#include "io/set_digests.h"
#include "jobs/split_methods.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

constexpr const char* kNeighbours = "whole:35";  // of chain()

SplitOptions equal_subsets(std::size_t count, const std::string& relations = "whole:30,part:30") {
  SplitOptions options;
  options.similarity.relations = parse_relations(relations);
  options.fractions.assign(count, 1);
  return options;
}

Split split(const SequenceSet& set, const SplitOptions& options, int threads = 2) {
  Session session(session_options(threads));
  return session.split(set, default_scoring("local", set.alphabet()), options);
}

std::string refused(const SequenceSet& set, const SplitOptions& options) {
  return input_error([&] { split(set, options); });
}

std::uint64_t records_of(const Split& split, std::size_t subset) {
  return static_cast<std::uint64_t>(std::ranges::count(split.subset_of, subset));
}

// What must hold of every split.
void expect_sound(const Split& split, const SequenceSet& set, const SimilarSequences& similar,
                  const SplitOptions& options) {
  ASSERT_EQ(split.subset_of.size(), set.size());
  ASSERT_EQ(split.subsets.size(), options.fractions.size());
  double sum = 0;
  for (const double fraction : options.fractions) sum += fraction;
  std::vector<std::uint64_t> residues(split.subsets.size()), pairs(split.subsets.size());
  for (Index i = 0; i < set.size(); ++i) {
    if (split.subset_of[i] == Split::kRemoved) continue;
    ASSERT_LT(split.subset_of[i], split.subsets.size());
    residues[split.subset_of[i]] += set.length(i);
    for (Index k = 0; k < i; ++k)
      EXPECT_TRUE(split.subset_of[k] == Split::kRemoved || split.subset_of[k] == split.subset_of[i] ||
                  !similar(i, k))
          << i << " and " << k << " are similar";
  }
  for (const auto& [place, unused] : similar.related())
    if (split.subset_of[place.first] != Split::kRemoved &&
        split.subset_of[place.first] == split.subset_of[place.second])
      ++pairs[split.subset_of[place.first]];
  for (std::size_t k = 0; k < split.subsets.size(); ++k) {
    SCOPED_TRACE("subset " + std::to_string(k));
    const Split::Subset& subset = split.subsets[k];
    EXPECT_EQ(subset.name, options.names.empty() ? std::to_string(k + 1) : options.names[k]);
    EXPECT_EQ(subset.records, records_of(split, k));
    EXPECT_EQ(subset.residues, residues[k]);
    EXPECT_EQ(subset.similar, pairs[k]);
    const double share = options.fractions[k] / sum * set.size(), part = options.tolerance / 100;
    SubsetBounds bounds{
        static_cast<std::uint64_t>(std::min(std::floor(share + 1e-9), std::ceil(share * (1 - part) - 1e-9))),
        static_cast<std::uint64_t>(std::max(std::ceil(share - 1e-9), std::floor(share * (1 + part) + 1e-9)))};
    if (options.bounds) bounds = *options.bounds;
    EXPECT_EQ(subset.bounds.lowest, bounds.lowest);
    EXPECT_EQ(subset.bounds.highest, bounds.highest);
    EXPECT_GE(subset.records, bounds.lowest);
    EXPECT_LE(subset.records, bounds.highest);
  }
  EXPECT_EQ(split.removed, records_of(split, Split::kRemoved));
  double cost = 0;
  for (Index i = 0; i < set.size(); ++i)
    if (split.subset_of[i] == Split::kRemoved)
      cost += 1 + (options.priority.empty() ? 0 : options.priority[i]);
  EXPECT_EQ(static_cast<double>(split.removal_cost), cost);
  EXPECT_LE(split.lower_bound, split.removal_cost);
  EXPECT_TRUE(options.allow_removal || split.removed == 0);
  const std::vector<Index> first = similar.components();
  std::map<Index, std::uint64_t> sizes;
  for (const Index component : first) ++sizes[component];
  std::uint64_t largest = 0;
  for (const auto& [component, size] : sizes) largest = std::max(largest, size);
  EXPECT_EQ(split.components, sizes.size());
  EXPECT_EQ(split.largest, largest);
  EXPECT_EQ(split.equal, similar.equal_to_earlier());
  EXPECT_EQ(split.similar, similar.related().size());
}

// Two sequences for each of so many random ones: it and a mutated copy. Every fifth has an equal one, too.
SequenceSet couples(unsigned seed, std::uint32_t count) {
  Random random(seed);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (std::uint32_t k = 0; k < count; ++k) {
    const Residues one = random_sequence(random, 40 + below(random, 20));
    builder.add("x", one);
    builder.add("x", relative(random, one, 8, 3));
    if (k % 5 == 0) builder.add("x", with_random_case(random, one));
  }
  return with_ids(builder.finish(), "c");
}

TEST(ApiSplit, KeepsSimilarRecordsTogether) {
  const SequenceSet set = couples(1, 20);
  for (const char* list : {"whole:30,part:30", "related:0.001", "score:60"}) {
    SCOPED_TRACE(list);
    const SimilarSequences similar(set, Strands::plus, list);
    EXPECT_GT(similar.related().size(), 15u) << "the data are no test";
    for (const std::size_t count : {2, 3, 5}) {
      const SplitOptions options = equal_subsets(count, list);
      expect_sound(split(set, options), set, similar, options);
    }
  }
}

TEST(ApiSplit, OfFamiliesAndOddSequences) {
  for (const AlphabetKind kind : {AlphabetKind::protein, AlphabetKind::dna}) {
    const SequenceSet set = mixed_set(kind);
    const char* list = "whole:80,part:80";
    const SimilarSequences similar(set, kind == AlphabetKind::dna ? Strands::both : Strands::plus, list);
    SplitOptions options = equal_subsets(2, list);
    options.tolerance = 20;
    expect_sound(split(set, options), set, similar, options);
  }
}

TEST(ApiSplit, FollowsFractionsNamesAndBounds) {
  const SequenceSet set = couples(2, 18);
  const SimilarSequences similar(set, Strands::plus, "whole:30,part:30");
  SplitOptions options = equal_subsets(3);
  options.fractions = {8, 1, 1};
  options.names = {"train", "validation", "test set"};
  options.tolerance = 20;
  expect_sound(split(set, options), set, similar, options);
  options.fractions = {0.5, 0.3, 0.2};
  options.tolerance = 10;
  expect_sound(split(set, options), set, similar, options);
  options.fractions = {1, 1, 1};
  options.bounds = SubsetBounds{12, 15};
  expect_sound(split(set, options), set, similar, options);
}

TEST(ApiSplit, OfStrangersHasTheWholeNumbersNextToItsShares) {
  const SequenceSet set = strangers(1, 23);
  const SimilarSequences similar(set, Strands::plus, "whole:60");
  SplitOptions options = equal_subsets(5, "whole:60");
  options.tolerance = 0;
  expect_sound(split(set, options), set, similar, options);
  options.fractions = {0.7, 0.2, 0.1};
  expect_sound(split(set, options), set, similar, options);
  EXPECT_EQ(split(set, options).components, 23u);
}

TEST(ApiSplit, SpreadsLabels) {
  const SequenceSet set = strangers(2, 60);
  SplitOptions options = equal_subsets(4, "whole:60");
  RecordTable::Column kind{"kind", {}}, host{"host", {}};
  for (Index i = 0; i < set.size(); ++i) {
    kind.values.emplace_back(i < 30 ? "enzyme" : i < 50 ? "receptor" : "other");
    host.values.emplace_back(i % 5 == 0 ? "" : i % 3 == 0 ? "mouse" : "human");
  }
  options.labels = {kind, host};
  const Split result = split(set, options);
  expect_sound(result, set, SimilarSequences(set, Strands::plus, "whole:60"), options);
  std::vector<std::string> names;
  for (const Split::Label& label : result.labels) {
    names.push_back(label.column + " " + label.label);
    const RecordTable::Column& column = label.column == "kind" ? kind : host;
    std::vector<std::uint64_t> counts(4);
    for (Index i = 0; i < set.size(); ++i)
      if (column.values[i] == label.label) ++counts[result.subset_of[i]];
    EXPECT_EQ(label.records, counts);
    double all = 0;
    for (const std::uint64_t count : counts) all += static_cast<double>(count);
    for (const std::uint64_t count : counts)
      EXPECT_NEAR(static_cast<double>(count), all / 4, 1.01) << names.back();
  }
  EXPECT_THAT(names,
              UnorderedElementsAre("kind enzyme", "kind receptor", "kind other", "host human", "host mouse"));
}

TEST(ApiSplit, KeepsGroupsTogether) {
  const SequenceSet set = couples(3, 18);
  const SimilarSequences similar(set, Strands::plus, "whole:30,part:30");
  SplitOptions options = equal_subsets(3);
  options.tolerance = 15;
  for (Index i = 0; i < set.size(); ++i)
    options.groups.push_back(i % 8 == 1 || i % 8 == 4 ? "g" + std::to_string(i / 8) : "");
  const Split result = split(set, options);
  std::map<std::string, std::set<std::uint32_t>> subsets;
  for (Index i = 0; i < set.size(); ++i)
    if (!options.groups[i].empty()) subsets[options.groups[i]].insert(result.subset_of[i]);
  EXPECT_GT(subsets.size(), 4u);
  for (const auto& [group, of_group] : subsets) EXPECT_EQ(of_group.size(), 1u) << group;
  for (Index i = 0; i < set.size(); ++i)
    for (Index k = 0; k < i; ++k)
      EXPECT_TRUE(!similar(i, k) || result.subset_of[i] == result.subset_of[k]) << i << " and " << k;
  for (const Split::Subset& subset : result.subsets) {
    EXPECT_GE(subset.records, subset.bounds.lowest);
    EXPECT_LE(subset.records, subset.bounds.highest);
  }
}

TEST(ApiSplit, KeepsWhatIsFixed) {
  const SequenceSet set = couples(4, 18);
  const SimilarSequences similar(set, Strands::plus, "whole:30,part:30");
  const std::vector<Index> first = similar.components();
  SplitOptions options = equal_subsets(3);
  options.names = {"a", "b", "c"};
  options.tolerance = 15;
  options.fixed.resize(set.size());
  std::map<Index, std::string> of_component;
  for (Index i = 0; i < set.size(); i += 4)
    options.fixed[i] = of_component.try_emplace(first[i], options.names[i / 4 % 3]).first->second;
  const Split result = split(set, options);
  expect_sound(result, set, similar, options);
  for (Index i = 0; i < set.size(); i += 4)
    EXPECT_EQ(result.subsets[result.subset_of[i]].name, options.fixed[i]);
}

TEST(ApiSplit, RefusesAComponentThatIsTooLarge) {
  const SequenceSet set = joined(chain(1, 21), strangers(3, 9));
  const std::string error = refused(set, equal_subsets(2, kNeighbours));
  EXPECT_THAT(error, AllOf(HasSubstr("21 of 30 records"), HasSubstr("15"), HasSubstr("allow_removal")));
}

TEST(ApiSplit, RemovesAsFewAsItMustOfAChain) {
  const SequenceSet set = chain(1, 21);
  const SimilarSequences similar(set, Strands::plus, kNeighbours);
  ASSERT_EQ(similar.related().size(), 20u);
  for (const std::size_t count : {2, 3, 4}) {
    SplitOptions options = equal_subsets(count, kNeighbours);
    options.allow_removal = true;
    options.tolerance = 30;
    const Split result = split(set, options);
    expect_sound(result, set, similar, options);
    EXPECT_EQ(result.removed, count - 1) << count << " subsets of a chain";
  }
}

TEST(ApiSplit, RemovesNothingIfComponentsFit) {
  const SequenceSet set = couples(5, 18);
  SplitOptions options = equal_subsets(3);
  options.allow_removal = true;
  const Split result = split(set, options);
  expect_sound(result, set, SimilarSequences(set, Strands::plus, "whole:30,part:30"), options);
  EXPECT_EQ(result.removed, 0u);
  EXPECT_EQ(result.lower_bound, 0u);
}

// Nine to eleven records may stand before the one that is removed.
TEST(ApiSplit, KeepsRecordsOfHighPriority) {
  const SequenceSet set = chain(2, 21);
  const SimilarSequences similar(set, Strands::plus, kNeighbours);
  SplitOptions options = equal_subsets(2, kNeighbours);
  options.allow_removal = true;
  options.tolerance = 20;
  for (const Index cheap : {9, 10, 11}) {
    options.priority.assign(21, 5);
    options.priority[cheap] = 0;
    const Split result = split(set, options);
    expect_sound(result, set, similar, options);
    EXPECT_EQ(result.removed, 1u);
    EXPECT_EQ(result.subset_of[cheap], Split::kRemoved);
  }
  // Two records without priority are cheaper than one with a priority of 5.
  options.priority.assign(21, 5);
  options.priority[4] = options.priority[14] = 0;
  const Split result = split(set, options);
  expect_sound(result, set, similar, options);
  EXPECT_EQ(result.removal_cost, 2u);
}

// The middle joins two families, in which all are similar.
TEST(ApiSplit, RemovesABridge) {
  Random random(8);
  const Residues one = random_sequence(random, 60), other = random_sequence(random, 60);
  SequenceSetBuilder builder(AlphabetKind::protein);
  for (int k = 0; k < 12; ++k) {
    Residues copy = k < 6 ? one : other;
    copy[static_cast<std::size_t>(k) * 3] =
        static_cast<Residue>((copy[static_cast<std::size_t>(k) * 3] + 1) % 20);
    builder.add("x", copy);
  }
  builder.add("x", concatenate({one, other}));
  const SequenceSet set = with_ids(builder.finish(), "b");
  const SimilarSequences similar(set, Strands::plus, "part:60");
  ASSERT_EQ(similar.components(), std::vector<Index>(13, 0));
  SplitOptions options = equal_subsets(2, "part:60");
  options.allow_removal = true;
  const Split result = split(set, options);
  expect_sound(result, set, similar, options);
  EXPECT_EQ(result.subset_of[12], Split::kRemoved);
  EXPECT_EQ(result.removed, 1u);
}

TEST(ApiSplit, IsTheSameWithAnyThreadsAndDependsOnTheSeedAlone) {
  const SequenceSet set = mosaic(4, 40, 11);
  const SimilarSequences similar(set, Strands::plus, "part:40");
  ASSERT_EQ(similar.components(), std::vector<Index>(40, 0));
  SplitOptions options = equal_subsets(3, "part:40");
  options.allow_removal = true;
  options.bounds = SubsetBounds{3, 20};
  std::set<std::vector<std::uint32_t>> all;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, ~0ULL}) {
    options.seed = seed;
    const Split two = split(set, options);
    expect_sound(two, set, similar, options);
    EXPECT_GT(two.removed, 5u);
    EXPECT_EQ(split(set, options, 1).subset_of, two.subset_of);
    EXPECT_EQ(split(set, options).subset_of, two.subset_of);
    all.insert(two.subset_of);
  }
  EXPECT_GT(all.size(), 1u);
}

TEST(ApiSplit, RefusesWrongOptions) {
  const SequenceSet set = strangers(5, 12);
  const auto refuses = [&](const std::string& clause, auto change) {
    SplitOptions options = equal_subsets(3, "whole:60");
    options.names = {"a", "b", "c"};
    change(options);
    EXPECT_THAT(refused(set, options), HasSubstr(clause));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& wrong : {std::vector<double>{}, {1}})
    refuses("two", [&](SplitOptions& options) { options.fractions = wrong, options.names = {}; });
  for (const double wrong : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
    refuses("share", [&](SplitOptions& options) { options.fractions[1] = wrong; });
  for (const double wrong : {-1.0, 100.5, nan})
    refuses("tolerance", [&](SplitOptions& options) { options.tolerance = wrong; });
  refuses("names", [](SplitOptions& options) { options.names = {"a", "b"}; });
  refuses("'a'", [](SplitOptions& options) { options.names = {"a", "b", "a"}; });
  refuses("name", [](SplitOptions& options) { options.names = {"a", "", "c"}; });
  refuses("relation", [](SplitOptions& options) { options.similarity.relations.clear(); });
  refuses("whole:30", [](SplitOptions& options) { options.similarity.relations[0].threshold = 0.3; });
  refuses("priorit", [](SplitOptions& options) { options.priority = {1, 2}; });
  for (const double wrong : {-1.0, nan, std::numeric_limits<double>::infinity()})
    refuses("priorit", [&](SplitOptions& options) {
      options.allow_removal = true;
      options.priority.assign(12, 0);
      options.priority[3] = wrong;
    });
  refuses("groups", [](SplitOptions& options) { options.groups = {"g"}; });
  refuses("fixed", [](SplitOptions& options) { options.fixed = {"a"}; });
  refuses("labels", [](SplitOptions& options) { options.labels = {{"kind", {"x"}}}; });
  refuses("'d'", [](SplitOptions& options) {
    options.fixed.resize(12);
    options.fixed[3] = "d";
  });
  refuses("9", [](SplitOptions& options) { options.bounds = SubsetBounds{9, 3}; });
}

TEST(ApiSplit, RefusesWhatCannotBe) {
  const SequenceSet set = strangers(5, 12);
  SplitOptions options = equal_subsets(3, "whole:60");
  options.names = {"train", "test", "rest"};
  options.groups.assign(12, "");
  options.groups[2] = options.groups[7] = "family X";
  options.fixed.assign(12, "");
  options.fixed[2] = "train";
  options.fixed[7] = "test";
  EXPECT_THAT(refused(set, options), AllOf(HasSubstr("family X"), HasSubstr("train"), HasSubstr("test")));
  options.groups.clear();
  EXPECT_EQ(split(set, options).subset_of[7], 1u);
  // More are fixed than fit.
  for (Index i = 0; i < 12; ++i) options.fixed[i] = i < 8 ? "train" : "";
  for (const bool allowed : {false, true}) {
    options.allow_removal = allowed;
    EXPECT_THAT(refused(set, options), AllOf(HasSubstr("train"), HasSubstr("8")));
  }
  options = equal_subsets(3, "whole:60");
  options.bounds = SubsetBounds{5, 8};  // 15 records
  EXPECT_THAT(refused(set, options), HasSubstr("5"));
  options.bounds = SubsetBounds{1, 3};  // 9 records
  EXPECT_THAT(refused(set, options), HasSubstr("3"));
  EXPECT_THAT(refused(joined(set, set.part(3, 4)), equal_subsets(2, "whole:60")), HasSubstr("r3"));
  EXPECT_THAT(refused(strangers(1, 2), equal_subsets(3, "whole:60")), Not(HasSubstr("another exception")));
}

// Two similar records that must go to different subsets.
TEST(ApiSplit, RefusesSimilarRecordsThatAreFixedApart) {
  const SequenceSet set = couples(6, 6);
  SplitOptions options = equal_subsets(2);
  options.names = {"left", "right"};
  options.fixed.assign(set.size(), "");
  options.fixed[3] = "left";
  options.fixed[4] = "right";
  EXPECT_THAT(refused(set, options),
              AllOf(HasSubstr("c3"), HasSubstr("c4"), HasSubstr("left"), HasSubstr("right")));
}

class ApiSplitFiles : public testing::Test {
 protected:
  ApiSplitFiles() {
    options_ = equal_subsets(3, kNeighbours);
    options_.names = {"train", "test", "last one"};
    options_.allow_removal = true;
    options_.tolerance = 20;
    files_.csv = outputs_.file("s.csv");
    files_.graph_part = outputs_.file("g.csv");
    files_.fasta = outputs_.file("f");
    files_.ids = outputs_.file("i");
    files_.certificate = outputs_.file("c.json");
    files_.methods = outputs_.file("m.md");
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> contents;
    for (const auto& entry : std::filesystem::directory_iterator(outputs_.path()))
      contents[entry.path().filename().string()] = read_file(entry.path());
    return contents;
  }
  Split run(const Database& set, int threads = 2) {
    Session session(session_options(threads));
    return session.split(set, default_scoring(), options_, files_);
  }

  const TempDir outputs_, inputs_;
  Session session_{session_options()};
  const SequenceSet set_ = joined(chain(4, 24), strangers(5, 12));
  SplitOptions options_;
  SplitFiles files_;
};

TEST_F(ApiSplitFiles, SayWhatTheResultSays) {
  const std::string fasta = inputs_.write_file("p.fa", fasta_of(set_));
  const Split result = run(session_.open(fasta));
  EXPECT_GT(result.removed, 0u);
  std::string csv = "id,subset\n";
  for (Index i = 0; i < set_.size(); ++i)
    if (result.subset_of[i] != Split::kRemoved)
      csv += std::string(set_[i].id()) + "," + result.subsets[result.subset_of[i]].name + "\n";
  EXPECT_EQ(read_file(files_.csv), csv);
  const RecordSets graph_part = read_record_sets(files_.graph_part, set_);
  std::map<std::uint32_t, std::uint32_t> same;
  for (Index i = 0; i < set_.size(); ++i) {
    EXPECT_EQ(graph_part.set_of[i] == RecordSets::kNone, result.subset_of[i] == Split::kRemoved);
    EXPECT_EQ(same.try_emplace(result.subset_of[i], graph_part.set_of[i]).first->second,
              graph_part.set_of[i]);
  }
  EXPECT_EQ(std::set<std::string>(graph_part.names.begin(), graph_part.names.end()).size(), 3u);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::string& name = result.subsets[k].name;
    std::string ids, letters;
    for (Index i = 0; i < set_.size(); ++i)
      if (result.subset_of[i] == k) {
        ids += std::string(set_[i].id()) + "\n";
        letters += fasta_of(set_[i], AlphabetKind::protein);
      }
    EXPECT_EQ(read_file(files_.ids + "." + name + ".ids"), ids);
    EXPECT_EQ(fasta_of(session_.open(files_.fasta + "." + name + ".fasta").sequences()), letters);
  }
  EXPECT_EQ(contents().size(), 10u);
}

// The text of the file is that of the certificate (split_methods_test.cpp), and has this split's numbers.
TEST_F(ApiSplitFiles, MethodsHaveTheNumbersOfTheSplit) {
  const Split result = run(set_);
  const std::string text = read_file(files_.methods);
  const io::Certificate certificate = io::read_certificate(files_.certificate).certificate;
  EXPECT_EQ(text, jobs::methods_of(certificate, true));
  std::uint64_t across = 0, before = 0, similar = 0;
  for (const Split::Subset& subset : result.subsets) {
    across += before * subset.records;
    before += subset.records;
    similar += subset.similar;
    EXPECT_THAT(text, HasSubstr("- " + subset.name + ": " + format_count(subset.records, "seq", "sequences") +
                                ", " + format_count(subset.residues, "residue", "residues")));
  }
  EXPECT_THAT(text,
              AllOf(HasSubstr("Of " + std::to_string(set_.size()) + " sequences, " +
                              std::to_string(set_.size() - result.removed) + " were split into 3"),
                    HasSubstr("by alnus " + std::string(version())), HasSubstr("at least 35%"),
                    HasSubstr("different subsets (" + format_count(across) + " pairs) was compared"),
                    HasSubstr("have " + format_count(similar) + " similar pairs"),
                    HasSubstr(format_count(result.removed, "sequence was", "sequences were") + " removed")));
  EXPECT_NE(text.find("# Redundancy between data splits"), std::string::npos);
  EXPECT_THAT(text, HasSubstr("The certificate of the split"));
  files_.certificate.clear();  // which the text does not need, and then does not speak of
  run(set_);
  EXPECT_EQ(read_file(files_.methods), jobs::methods_of(certificate, false));
  EXPECT_THAT(read_file(files_.methods), Not(HasSubstr("The certificate")));
}

TEST_F(ApiSplitFiles, CertificateHasTheSplit) {
  const std::string fasta = inputs_.write_file("p.fa", fasta_of(set_));
  const Split result = run(session_.open(fasta));
  const nlohmann::json statement = nlohmann::json::parse(read_file(files_.certificate));
  const nlohmann::json& predicate = statement["predicate"];
  EXPECT_EQ(predicate["search_space"]["records"], set_.size());
  EXPECT_EQ(predicate["search_space"]["residues"], set_.total_residues());
  EXPECT_EQ(predicate["removed"]["records"], result.removed);
  std::set<std::string> removed;
  for (Index i = 0; i < set_.size(); ++i)
    if (result.subset_of[i] == Split::kRemoved) removed.insert(std::string(set_[i].id()));
  EXPECT_EQ(predicate["removed"]["ids"], removed);
  std::uint64_t across = 0, within = 0, similar = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::uint64_t records = result.subsets[k].records;
    EXPECT_EQ(predicate["subsets"][k]["name"], result.subsets[k].name);
    EXPECT_EQ(predicate["subsets"][k]["records"], records);
    EXPECT_EQ(predicate["subsets"][k]["residues"], result.subsets[k].residues);
    for (std::size_t other = 0; other < k; ++other) across += records * result.subsets[other].records;
    within += records * (records - 1) / 2;
    similar += result.subsets[k].similar;
  }
  EXPECT_EQ(predicate["pairs_compared"]["across"], across);
  EXPECT_EQ(predicate["pairs_compared"]["within"], within);
  EXPECT_EQ(predicate["edges"]["across"], 0);
  EXPECT_EQ(predicate["edges"]["within"], similar);
  EXPECT_EQ(predicate["edges"]["origin"], "computed");
  io::PairDigest pairs;
  const SimilarSequences is_similar(set_, Strands::plus, kNeighbours);
  for (Index i = 0; i < set_.size(); ++i)
    for (Index j = 0; j < i; ++j)
      if (is_similar(i, j)) pairs.add(set_[i].id(), set_[j].id());
  EXPECT_EQ(predicate["edges"]["sum_sha256"], pairs.hex());
  EXPECT_EQ(predicate["relations"][0]["threshold"], "35");
  EXPECT_EQ(predicate["files"][0]["name"], "p.fa");
}

TEST_F(ApiSplitFiles, AreTheSameWithAnyThreadsAndFromADatabase) {
  const std::string fasta = inputs_.write_file("p.fa", fasta_of(set_)), stored = inputs_.file("p.alnus");
  session_.make_database({fasta}, stored);
  const Split result = run(session_.open(fasta));
  std::map<std::string, std::string> expected = contents();
  run(session_.open(fasta), 1);
  EXPECT_EQ(contents(), expected);
  const Split of_database = run(session_.open(stored));
  EXPECT_EQ(of_database.subset_of, result.subset_of);
  std::map<std::string, std::string> found = contents();
  nlohmann::json one = nlohmann::json::parse(found.at("c.json")),
                 other = nlohmann::json::parse(expected.at("c.json"));
  for (nlohmann::json* certificate : {&one, &other}) {
    (*certificate)["predicate"].erase("files");
    (*certificate)["predicate"].erase("predicate_sha256");
  }
  EXPECT_EQ(one, other);
  found.erase("c.json");
  expected.erase("c.json");
  EXPECT_EQ(found, expected);
}

TEST_F(ApiSplitFiles, AreNotWrittenIfThereIsNoSplit) {
  options_.allow_removal = false;
  input_error([&] { run(set_); });
  EXPECT_TRUE(contents().empty());
  options_.allow_removal = true;
  options_.names = {"a/b", "c", "d"};
  EXPECT_THAT(input_error([&] { run(set_); }), HasSubstr("a/b"));
  EXPECT_TRUE(contents().empty());
  options_.names = {"a", "b", "c"};
  files_.graph_part = files_.csv;
  EXPECT_THAT(input_error([&] { run(set_); }), HasSubstr("s.csv"));
  EXPECT_TRUE(contents().empty());
}

// "In the order in which columns and labels appear": first all labels of the first column.
TEST(ApiSplit, LabelsAreOrderedByColumn) {
  SplitOptions options = equal_subsets(2, "whole:60");
  options.labels = {{"kind", {"a", "b", "a", "b"}}, {"host", {"x", "x", "y", "y"}}};
  std::vector<std::string> names;
  for (const Split::Label& label : split(strangers(2, 4), options).labels)
    names.push_back(label.column + label.label);
  EXPECT_EQ(names, (std::vector<std::string>{"kinda", "kindb", "hostx", "hosty"}));
}

// What joins the records is the group, and neither removal nor a stricter relation helps.
TEST(ApiSplit, NamesTheGroupThatIsTooLarge) {
  SplitOptions options = equal_subsets(4, "whole:60");
  options.groups.assign(20, "");
  for (Index i = 0; i < 7; ++i) options.groups[i] = "family X";
  EXPECT_THAT(refused(strangers(2, 20), options), AllOf(HasSubstr("group"), HasSubstr("family X")));
}

}  // namespace
}  // namespace alnus::test
