// Session::verify: what a certificate says of a split, and what is found if records or the certificate
// changed.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/similar_sets.h"
#include "support/compression.h"
#include "support/strands_reference.h"
#include "support/temp_dir.h"

namespace alnus::test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Record {
  std::string id, letters, subset;  // subset: empty if the record was removed
};

// The predicate's digest, as docs/certificate.md says.
std::string sealed(json statement) {
  json& predicate = statement["predicate"];
  predicate.erase("predicate_sha256");
  const std::string text = predicate.dump();
  unsigned char digest[crypto_hash_sha256_BYTES];
  crypto_hash_sha256(digest, reinterpret_cast<const unsigned char*>(text.data()), text.size());
  std::string hexadecimal;
  for (const unsigned char byte : digest) hexadecimal += fmt::format("{:02x}", byte);
  predicate["predicate_sha256"] = hexadecimal;
  return statement.dump(2) + "\n";
}

// A split of a chain and of strangers into three subsets, from which some records were removed.
class ApiVerify : public testing::Test {
 protected:
  ApiVerify() {
    SplitOptions options;
    options.similarity.relations = parse_relations("whole:35,part:60");
    options.fractions = {2, 1, 1};
    options.names = {"train", "test", "validation"};
    options.tolerance = 20;
    options.allow_removal = true;
    const SequenceSet set = joined(chain(6, 24), strangers(7, 12));
    split_ = session_.split(set, scoring_, options, {.certificate = certificate_});
    for (Index i = 0; i < set.size(); ++i)
      records_.push_back({std::string(set[i].id()), decode(set.residues(i)),
                          split_.subset_of[i] == Split::kRemoved ? "" : options.names[split_.subset_of[i]]});
    statement_ = json::parse(read_file(certificate_));
  }

  Database database(const std::vector<Record>& records) {
    std::string text;
    for (const Record& record : records) text += ">" + record.id + "\n" + record.letters + "\n";
    return session_.open(directory_.write_file("all.fa", text), {.alphabet = AlphabetChoice::protein});
  }
  static std::vector<std::string> subsets_of(const std::vector<Record>& records) {
    std::vector<std::string> subsets(records.size());
    std::ranges::transform(records, subsets.begin(), &Record::subset);
    return subsets;
  }
  // By one file of all records.
  CertificateCheck verify(const std::vector<Record>& records, const VerifyOptions& options = {}) {
    const std::vector<std::string> subset_of = subsets_of(records);
    return session_.verify(certificate_, {database(records)}, subset_of, scoring_, options);
  }
  std::string letters_of(const std::string& subset, std::size_t width, bool reverse, bool lower) const {
    std::vector<std::string> entries;
    for (const Record& record : records_) {
      if (record.subset != subset) continue;
      std::string entry = ">" + record.id + " a title\n";
      for (std::size_t at = 0; at < record.letters.size(); at += width)
        entry += record.letters.substr(at, width) + "\n";
      if (lower)
        for (std::size_t k = entry.find('\n'); k < entry.size(); ++k)
          entry[k] = static_cast<char>(std::tolower(entry[k]));
      entries.push_back(entry);
    }
    if (reverse) std::ranges::reverse(entries);
    std::string text;
    for (const std::string& entry : entries) text += entry;
    return text;
  }
  CertificateCheck verify_texts(const std::vector<std::string>& texts, const VerifyOptions& options = {}) {
    std::vector<Database> sets;
    sets.reserve(texts.size());
    for (const std::string& text : texts)
      sets.push_back(session_.open_text(text, "text", {.alphabet = AlphabetChoice::protein}));
    return session_.verify(certificate_, sets, {}, scoring_, options);
  }
  CertificateCheck offline() { return session_.verify(certificate_, {}, {}, scoring_, {.offline = true}); }
  void rewrite(const std::string& text) const { directory_.write_file("c.json", text); }
  std::vector<std::string> failures(const std::vector<Record>& records) {
    const CertificateCheck check = verify(records);
    EXPECT_THAT(check.failures, Not(IsEmpty()));
    return check.failures;
  }
  std::size_t first_of(const std::string& subset) const {
    return static_cast<std::size_t>(std::ranges::find(records_, subset, &Record::subset) - records_.begin());
  }

  const TempDir directory_;
  const std::string certificate_ = directory_.file("c.json");
  Session session_{session_options()};
  const Scoring scoring_ = default_scoring();
  Split split_;
  std::vector<Record> records_;
  json statement_;
};

TEST_F(ApiVerify, HoldsByOneFileOfAllRecords) {
  ASSERT_GT(split_.removed, 0u) << "the data are no test";
  const CertificateCheck check = verify(records_);
  EXPECT_THAT(check.failures, IsEmpty());
  EXPECT_THAT(check.relations, ElementsAre("whole:35", "part:60"));
  EXPECT_EQ(check.subsets, 3u);
  EXPECT_EQ(check.removed, split_.removed);
  EXPECT_EQ(check.records, records_.size() - split_.removed);
  EXPECT_EQ(check.pairs, statement_["predicate"]["pairs_compared"]["across"].get<std::uint64_t>());
  EXPECT_EQ(check.similar, 0u);
  EXPECT_FALSE(check.statistics.empty()) << "part has E-values";
}

TEST_F(ApiVerify, HoldsByFilesOfSubsetsHoweverTheyAreWritten) {
  const auto text = [&](const std::string& subset) { return letters_of(subset, 60, false, false); };
  EXPECT_THAT(verify_texts({text("train"), text("test"), text("validation")}).failures, IsEmpty());
  EXPECT_THAT(verify_texts({text("validation"), text("train"), text("test")}).failures, IsEmpty());
  EXPECT_THAT(verify_texts({gzip(text("train")), letters_of("test", 7, true, true),
                            zstd(letters_of("validation", 13, true, false))})
                  .failures,
              IsEmpty());
}

// The search space has removed records, even if no file has them.
TEST_F(ApiVerify, EvaluesAreThoseOfTheSplit) {
  const auto text = [&](const std::string& subset) { return letters_of(subset, 60, false, false); };
  const std::string statistics = verify_texts({text("train"), text("test"), text("validation")}).statistics;
  EXPECT_EQ(statistics, split_.statistics);
  EXPECT_EQ(verify(records_).statistics, split_.statistics);
}

// A pair whose E-value is above the limit in the search space of the split, and below it without removed
// records.
TEST_F(ApiVerify, PairsAreJudgedInTheSearchSpaceOfTheCertificate) {
  const SequenceSet set = joined(chain(6, 24), strangers(7, 12));
  const RelationOracle all({set, {}, Strands::plus, scoring_});
  SplitOptions options;
  options.fractions = {1, 1};
  options.tolerance = 20;
  options.allow_removal = true;
  double highest = 0;  // of a pair across
  for (int round = 0; round < 2; ++round) {
    options.similarity.relations = {{RelationKind::whole, 35}};
    if (round == 1) options.similarity.relations.push_back({RelationKind::related, highest});
    const Split split = session_.split(set, scoring_, options, {.certificate = certificate_});
    std::vector<Database> subsets;
    for (std::uint32_t k = 0; k < 2; ++k) {
      std::string text;
      for (Index i = 0; i < set.size(); ++i)
        if (split.subset_of[i] == k) text += fasta_of(set[i], AlphabetKind::protein);
      subsets.push_back(session_.open_text(text, "text", {.alphabet = AlphabetChoice::protein}));
    }
    EXPECT_THAT(session_.verify(certificate_, subsets, {}, scoring_).failures, IsEmpty());
    EXPECT_GT(split.removed, 0u);
    highest = std::numeric_limits<double>::max();
    for (const auto& [place, pair] : all.of(parse_relations("related:10")))
      if (split.subset_of[place.first] != split.subset_of[place.second])
        highest = std::min(highest, pair.value * 0.999999);
    if (highest > 10) return;
  }
}

TEST_F(ApiVerify, HoldsForBothStrandsOfDna) {
  Random random(3);
  std::vector<Residues> sequences;
  for (int k = 0; k < 12; ++k) {
    sequences.push_back(random_sequence(random, 60, 4));
    if (k % 3 == 0) sequences.push_back(other_strand(sequences.back()));
  }
  const SequenceSet set = make_set(sequences, AlphabetKind::dna);
  const Scoring scoring = default_scoring("local", AlphabetKind::dna);
  for (const std::optional<Strands> strands : {std::optional<Strands>(), std::optional(Strands::plus)}) {
    SplitOptions options;
    options.similarity = {parse_relations("whole:80,part:80"), strands};
    options.fractions = {1, 1};
    const Split split = session_.split(set, scoring, options, {.certificate = certificate_});
    EXPECT_EQ(split.components, strands ? 16u : 12u);
    std::vector<std::string> subset_of;
    for (const std::uint32_t subset : split.subset_of) subset_of.push_back(split.subsets[subset].name);
    EXPECT_THAT(session_.verify(certificate_, {set}, subset_of, scoring).failures, IsEmpty());
  }
}

TEST_F(ApiVerify, HoldsByAnotherOrderAndByADatabaseFile) {
  std::vector<Record> reversed = records_;
  std::ranges::reverse(reversed);
  EXPECT_THAT(verify(reversed).failures, IsEmpty());
  // A database file stores records by their lengths; the subsets are in the order of its FASTA.
  const std::vector<std::string> subset_of = subsets_of(records_);
  database(records_);
  session_.make_database({directory_.file("all.fa")}, directory_.file("all.alnus"));
  EXPECT_THAT(
      session_.verify(certificate_, {session_.open(directory_.file("all.alnus"))}, subset_of, scoring_)
          .failures,
      IsEmpty());
}

TEST_F(ApiVerify, IsTheSameWithOneThread) {
  Session one(session_options(1));
  const std::vector<std::string> subset_of = subsets_of(records_);
  const CertificateCheck check = one.verify(certificate_, {database(records_)}, subset_of, scoring_);
  EXPECT_THAT(check.failures, IsEmpty());
  EXPECT_EQ(check.pairs, verify(records_).pairs);
}

TEST_F(ApiVerify, OfflineComparesNothing) {
  EXPECT_THAT(offline().failures, IsEmpty());
  EXPECT_EQ(offline().pairs, 0u);
  const CertificateCheck check = verify(records_, {.offline = true});
  EXPECT_THAT(check.failures, IsEmpty());
  EXPECT_EQ(check.pairs, 0u);
  std::vector<Record> changed = records_;
  changed[first_of("test")].letters[0] = 'W';
  EXPECT_THAT(verify(changed, {.offline = true}).failures, ElementsAre(HasSubstr("'test'")));
}

TEST_F(ApiVerify, FindsAChangedResidue) {
  std::vector<Record> changed = records_;
  char& residue = changed[first_of("test") + 1].letters[5];
  residue = residue == 'W' ? 'A' : 'W';
  const std::uint64_t residues = split_.subsets[1].residues;
  EXPECT_THAT(failures(changed),
              ElementsAre(EndsWith(fmt::format("all.fa: subset 'test' has the ids of the certificate, but a "
                                               "residue differs ({} residues, as in the certificate).",
                                               residues))));
  changed[first_of("test")].letters += "W";
  EXPECT_THAT(failures(changed),
              ElementsAre(HasSubstr(
                  fmt::format("differs ({} residues, in the certificate {})", residues + 1, residues))));
}

TEST_F(ApiVerify, FindsAChangedId) {
  std::vector<Record> changed = records_;
  changed[first_of("validation")].id = "another";
  const std::string sentence =
      fmt::format("all.fa: subset 'validation' has {} records as in the certificate, but an id differs.",
                  split_.subsets[2].records);
  EXPECT_THAT(failures(changed), ElementsAre(EndsWith(sentence)));
  changed[first_of("validation")].letters += "W";
  EXPECT_THAT(failures(changed), ElementsAre(EndsWith(sentence)));
  SequenceSetBuilder builder(AlphabetKind::protein);  // from memory, without a name
  for (const Record& record : changed) builder.add_text(record.id, record.letters);
  EXPECT_THAT(session_.verify(certificate_, {builder.finish()}, subsets_of(changed), scoring_).failures,
              ElementsAre(StartsWith("The set: subset 'validation' has ")));
}

// Each file is taken as the subset whose contents or ids it has, or as the only one that is left.
TEST_F(ApiVerify, FindsWhatChangedInTheFileOfASubset) {
  const auto text = [&](const std::string& subset) { return letters_of(subset, 60, false, false); };
  const auto found = [&](const std::string& train, const std::string& test, const std::string& validation) {
    std::vector<Database> sets;
    for (const auto& [name, of] : {std::pair("a.fa", validation), {"b.fa", train}, {"c.fa", test}})
      sets.push_back(session_.open(directory_.write_file(name, of), {.alphabet = AlphabetChoice::protein}));
    return session_.verify(certificate_, sets, {}, scoring_).failures;
  };
  const auto changed_id = [&](const std::string& subset) { return ">x" + text(subset).substr(1); };
  const auto changed_residue = [&](const std::string& subset) {
    std::string of = text(subset);
    char& letter = of[of.find('\n') + 1];
    letter = letter == 'W' ? 'A' : 'W';
    return of;
  };
  const std::string residue = "has the ids of the certificate, but a residue differs",
                    id = "records as in the certificate, but an id differs.";
  EXPECT_THAT(found(text("train"), text("test"), text("validation")), IsEmpty());
  EXPECT_THAT(found(text("train"), changed_residue("test"), text("validation")),
              ElementsAre(HasSubstr("c.fa, taken as subset 'test', " + residue)));
  EXPECT_THAT(found(changed_id("train"), text("test"), text("validation")),
              ElementsAre(AllOf(HasSubstr("b.fa, taken as subset 'train', has "), EndsWith(id))));
  EXPECT_THAT(found(changed_id("train"), changed_residue("test"), changed_residue("validation")),
              ElementsAre(HasSubstr("a.fa, taken as subset 'validation', " + residue),
                          HasSubstr("c.fa, taken as subset 'test', " + residue),
                          AllOf(HasSubstr("b.fa, taken as subset 'train', has "), EndsWith(id))));
  EXPECT_THAT(
      found(text("train"), text("test") + ">x\nMKV\n", text("validation")),
      ElementsAre(AllOf(HasSubstr("c.fa, taken as subset 'test', has "),
                        HasSubstr(fmt::format("{} records", split_.subsets[1].records + 1)),
                        HasSubstr(fmt::format("in the certificate {} records", split_.subsets[1].records)))));
  // Two files without a subset: none is taken as one.
  EXPECT_THAT(found(text("train"), ">x\nMKV\n", ">y\nMKV\n"),
              ElementsAre(AllOf(HasSubstr("The ids of "), HasSubstr("a.fa (1 record"),
                                HasSubstr("are those of no subset")),
                          AllOf(HasSubstr("c.fa (1 record"), HasSubstr("are those of no subset")),
                          HasSubstr("No file has the records of subset 'test'"),
                          HasSubstr("No file has the records of subset 'validation'")));
}

TEST_F(ApiVerify, FindsExchangedSequences) {
  std::vector<Record> changed = records_;
  std::swap(changed[first_of("train")].letters, changed[first_of("train") + 1].letters);
  EXPECT_THAT(failures(changed), ElementsAre(AllOf(HasSubstr("'train'"), HasSubstr("a residue differs"))));
}

TEST_F(ApiVerify, FindsAMissingAndAFurtherRecord) {
  std::vector<Record> changed = records_;
  const std::uint64_t records = split_.subsets[1].records;
  changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(first_of("test")));
  EXPECT_THAT(failures(changed),
              ElementsAre(AllOf(HasSubstr("'test' has " + std::to_string(records - 1) + " records"),
                                HasSubstr(std::to_string(records) + " records"))));
  changed = records_;
  changed.push_back({"further", "MKVWMKVW", "test"});
  EXPECT_THAT(failures(changed), ElementsAre(HasSubstr("'test' has " + std::to_string(records + 1))));
}

TEST_F(ApiVerify, FindsAMovedRecord) {
  std::vector<Record> changed = records_;
  changed[first_of("test")].subset = "train";
  EXPECT_THAT(failures(changed), AllOf(Contains(HasSubstr("'test'")), Contains(HasSubstr("'train'"))));
  // Exchanged, so that numbers of records stay as they are.
  changed[first_of("train")].subset = "test";
  EXPECT_THAT(failures(changed), AllOf(Contains(HasSubstr("'test'")), Contains(HasSubstr("'train'"))));
}

TEST_F(ApiVerify, FindsARenamedSubset) {
  std::vector<Record> changed = records_;
  for (Record& record : changed)
    if (record.subset == "test") record.subset = "toast";
  EXPECT_THAT(failures(changed), Contains(HasSubstr("'toast'")));
}

TEST_F(ApiVerify, ChecksRemovedRecords) {
  const std::size_t removed = first_of("");
  std::vector<Record> changed = records_;
  changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(removed));
  EXPECT_THAT(failures(changed),
              ElementsAre(HasSubstr(fmt::format("in no subset, but in the certificate {}", split_.removed))));
  changed = records_;
  changed[removed].id = "another";
  EXPECT_THAT(failures(changed),
              ElementsAre(AllOf(HasSubstr("were removed"), EndsWith("but an id differs."))));
  changed = records_;
  changed[removed].subset = "train";
  EXPECT_THAT(failures(changed), AllOf(Contains(HasSubstr("removed")), Contains(HasSubstr("'train'"))));
  changed = records_;
  changed[first_of("train")].subset = "";
  EXPECT_THAT(failures(changed), AllOf(Contains(HasSubstr("removed")), Contains(HasSubstr("'train'"))));
}

// Any other digit of the certificate, one at a time.
TEST_F(ApiVerify, FindsEachChangedDigit) {
  const std::string text = read_file(certificate_);
  const std::size_t begin = text.find("\"edges\"");
  int changed = 0;
  for (std::size_t k = begin; k < text.size(); ++k) {
    if (!std::isdigit(static_cast<unsigned char>(text[k]))) continue;
    std::string other = text;
    other[k] = text[k] == '1' ? '2' : '1';
    rewrite(other);
    const Thrown thrown =
        thrown_by([&] { EXPECT_THAT(offline().failures, Not(IsEmpty())) << other.substr(k - 20, 40); });
    EXPECT_TRUE(thrown.text == "nothing was thrown" || (thrown.error && thrown.kind == ErrorKind::input))
        << thrown.text;
    ++changed;
  }
  EXPECT_GT(changed, 200);
}

TEST_F(ApiVerify, FindsARenamedSubsetInTheCertificate) {
  std::string text = read_file(certificate_);
  text.replace(text.find("\"test\""), 6, "\"toast\"");
  rewrite(text);
  EXPECT_THAT(offline().failures, Contains(HasSubstr("toast")));
}

TEST_F(ApiVerify, KnowsItsOwnDigest) {
  EXPECT_EQ(json::parse(sealed(statement_)), statement_) << "the digest is as docs/certificate.md says";
  rewrite(statement_.dump());
  EXPECT_THAT(offline().failures, IsEmpty()) << "blanks do not matter";
}

// A certificate with all digests right and a threshold that does not hold.
TEST_F(ApiVerify, NamesThePairsThatAForgedCertificateDenies) {
  Session session(session_options());
  const SequenceSet set = set_of(
      {"WWWWCCCCHHHHWWWWKRKR", "WWWWCCCCHHHHWWWWKRGG", "MKVLAMKVLAMKVLAMKVLA", "DEDEDESTSTSTDEDEDEST"});
  SplitOptions options;
  options.similarity.relations = parse_relations("whole:95");
  options.fractions = {1, 1};
  options.fixed = {"1", "2", "1", "2"};
  session.split(set, scoring_, options, {.certificate = certificate_});
  const std::vector<std::string>& subset_of = options.fixed;
  EXPECT_THAT(session.verify(certificate_, {set}, subset_of, scoring_).failures, IsEmpty());
  json forged = json::parse(read_file(certificate_));
  forged["predicate"]["relations"][0]["threshold"] = "90";
  forged["predicate"]["nearest_across"][0]["relation"] = "whole:90";
  rewrite(sealed(forged));
  EXPECT_THAT(offline().failures, IsEmpty());
  const auto names_the_pair = ElementsAre(AllOf(HasSubstr("s0"), HasSubstr("s1"), HasSubstr("whole:90")));
  const CertificateCheck check = session.verify(certificate_, {set}, subset_of, scoring_);
  EXPECT_THAT(check.failures, names_the_pair);
  EXPECT_EQ(check.similar, 1u);
  const CertificateCheck files =
      session.verify(certificate_, {with_ids(set.part(0, 0), "s"), set}, {}, scoring_, {.offline = true});
  EXPECT_THAT(files.failures, Not(IsEmpty()));
  // A sample finds it if it has one of the two.
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const CertificateCheck one =
        session.verify(certificate_, {set}, subset_of, scoring_, {.sample = 1, .seed = seed});
    EXPECT_EQ(one.compared, 1u);
    EXPECT_EQ(one.pairs, 2u);
    EXPECT_EQ(one.similar, one.failures.size());
    found += one.failures.empty() ? 0 : 1;
  }
  EXPECT_GT(found, 5);
  EXPECT_LT(found, 35);
}

TEST_F(ApiVerify, EqualSequencesAcrossAreFound) {
  Session session(session_options());
  // Without a relation by E-value, because they are short.
  const SequenceSet set = set_of({"MKV", "WWH", "MKV", "DES"}), apart = set_of({"MKV", "WWH", "MKI", "DES"});
  SplitOptions options;
  options.similarity.relations = parse_relations("related:1e-5");
  options.fractions = {1, 1};
  options.fixed = {"1", "1", "2", "2"};
  session.split(apart, scoring_, options, {.certificate = certificate_});
  const json of_apart = json::parse(read_file(certificate_));
  // The digest of subset 2 with the equal one is that of a split whose first subset has other sequences.
  session.split(set_of({"RRR", "WWH", "MKV", "DES"}), scoring_, options, {.certificate = certificate_});
  const json of_other = json::parse(read_file(certificate_));
  json forged = of_apart;
  forged["subject"][1] = of_other["subject"][1];
  forged["predicate"]["subsets"][1] = of_other["predicate"]["subsets"][1];
  rewrite(sealed(forged));
  const CertificateCheck check = session.verify(certificate_, {set}, options.fixed, scoring_);
  EXPECT_THAT(check.failures, ElementsAre(AllOf(HasSubstr("s0"), HasSubstr("s2"))));
}

// Five subsets and samples of all sizes: each pair of a sampled record with one of another subset is compared
// once, and the pairs that are found are those of a reference.
TEST_F(ApiVerify, ComparesEachPairOfSampledRecordsOnce) {
  constexpr std::uint32_t kSubsets = 5;
  const SequenceSet set = chain(3, 17);
  SplitOptions options;
  options.similarity.relations = parse_relations("whole:100");
  options.fractions.assign(kSubsets, 1);
  for (Index i = 0; i < set.size(); ++i) options.fixed.push_back(std::to_string(1 + i * 7 % kSubsets));
  session_.split(set, scoring_, options, {.certificate = certificate_});
  json forged = json::parse(read_file(certificate_));
  forged["predicate"]["relations"][0]["threshold"] = "35";
  forged["predicate"]["nearest_across"][0]["relation"] = "whole:35";
  rewrite(sealed(forged));
  const RelationOracle oracle({set, {}, Strands::plus, scoring_});
  std::uint64_t across = 0;
  for (const auto& [place, pair] : oracle.of(parse_relations("whole:35")))
    across += options.fixed[place.first] != options.fixed[place.second] ? 1 : 0;
  ASSERT_GT(across, 5u) << "the data are no test";
  CertificateCheck before;
  for (std::uint32_t n = 1; n <= set.size(); ++n) {
    const CertificateCheck check =
        session_.verify(certificate_, {set}, options.fixed, scoring_, {.sample = n});
    EXPECT_GE(check.pairs, before.pairs) << "the same seed draws the same records first";
    EXPECT_GE(check.similar, before.similar);
    EXPECT_EQ(check.failures.size(), std::min<std::uint64_t>(check.similar, 10));
    before = check;
  }
  const CertificateCheck all = session_.verify(certificate_, {set}, options.fixed, scoring_);
  for (const CertificateCheck& check : {before, all}) {
    EXPECT_EQ(check.pairs, forged["predicate"]["pairs_compared"]["across"].get<std::uint64_t>());
    EXPECT_EQ(check.similar, across);
  }
}

TEST_F(ApiVerify, SamplesAreCompletelyCompared) {
  const CertificateCheck full = verify(records_);
  for (const std::uint32_t n : {static_cast<std::uint32_t>(full.records), 1'000'000U}) {
    const CertificateCheck all = verify(records_, {.sample = n});
    EXPECT_THAT(all.failures, IsEmpty());
    EXPECT_EQ(all.compared, full.records);
  }
  EXPECT_EQ(full.compared, full.records);
  const CertificateCheck five = verify(records_, {.sample = 5, .seed = 3});
  EXPECT_THAT(five.failures, IsEmpty());
  EXPECT_EQ(five.compared, 5u);
  EXPECT_LT(five.pairs, full.pairs);
  EXPECT_EQ(verify(records_, {.sample = 5, .seed = 3}).pairs, five.pairs);
}

// All work is known from the beginning, so that the fraction does not come to 1 for each subset.
TEST_F(ApiVerify, HasOneProgress) {
  for (const std::uint32_t sample : {0u, 7u}) {
    std::vector<Progress> all;
    RunControl run;
    run.on_progress = [&](const Progress& progress) { all.push_back(progress); };
    const CertificateCheck check = session_.verify(certificate_, {database(records_)}, subsets_of(records_),
                                                   scoring_, {.sample = sample}, run);
    ASSERT_FALSE(all.empty());
    for (const Progress& progress : all)
      EXPECT_TRUE(progress.cells_total == 0 || progress.cells_total == check.cells);
    EXPECT_EQ(all.back().cells_done, check.cells);
    EXPECT_EQ(all.back().pairs_done, check.pairs);
    EXPECT_EQ(all.back().pairs_total, check.pairs);
    EXPECT_EQ(all.back().fraction, 1);
  }
}

TEST_F(ApiVerify, RefusesWhatIsNoCertificate) {
  const auto refused = [&](const std::string& text) {
    rewrite(text);
    return input_error([&] { offline(); });
  };
  EXPECT_THAT(refused("id,subset\n"), AllOf(HasSubstr("c.json"), HasSubstr("JSON")));
  EXPECT_THAT(refused("{}"), HasSubstr("c.json"));
  EXPECT_THAT(refused(""), HasSubstr("c.json"));
  json wrong = statement_;
  wrong["predicate"]["subsets"][1]["records"] = -1;
  EXPECT_THAT(refused(wrong.dump()), HasSubstr("predicate.subsets[1].records"));
  const std::string text = statement_.dump();
  EXPECT_THAT(refused(text.substr(0, text.size() / 2)), HasSubstr("c.json"));
  EXPECT_THAT(input_error([&] {
                session_.verify(directory_.file("none.json"), {}, {}, scoring_, {.offline = true});
              }),
              HasSubstr("none.json"));
}

TEST_F(ApiVerify, RefusesSetsThatDoNotFitTheCall) {
  EXPECT_THAT(input_error([&] { session_.verify(certificate_, {}, {}, scoring_); }), HasSubstr("offline"));
  const Database all = database(records_);
  EXPECT_NE(input_error([&] { session_.verify(certificate_, {all}, {"train", "test"}, scoring_); }), "");
  std::vector<std::string> subset_of(records_.size(), "train");
  EXPECT_NE(input_error([&] { session_.verify(certificate_, {all, all}, subset_of, scoring_); }), "");
}

TEST_F(ApiVerify, FindsAFileThatIsNoSubset) {
  const auto text = [&](const std::string& subset) { return letters_of(subset, 60, false, false); };
  EXPECT_THAT(verify_texts({text("train"), text("test")}).failures, Contains(HasSubstr("'validation'")));
  EXPECT_THAT(verify_texts({text("train"), text("test"), ">x\nMKVW\n"}).failures,
              Contains(HasSubstr("'validation'")));
}

// docs/certificate.md: the search space, which E-values assume, has the residues of removed records.
TEST_F(ApiVerify, FindsOtherResiduesOfARemovedRecord) {
  std::vector<Record> changed = records_;
  changed[first_of("")].letters += "WW";
  EXPECT_THAT(failures(changed), ElementsAre(HasSubstr("all.fa: the removed records have ")));
}

TEST_F(ApiVerify, ASampleOfAllIsTheWholeCheck) {
  const CertificateCheck full = verify(records_),
                         all = verify(records_, {.sample = static_cast<std::uint32_t>(full.records)});
  EXPECT_EQ(all.pairs, full.pairs);
  EXPECT_EQ(all.cells, full.cells);
  // A pair that a forged certificate denies is named once.
  const SequenceSet set = set_of(
      {"WWWWCCCCHHHHWWWWKRKR", "WWWWCCCCHHHHWWWWKRGG", "MKVLAMKVLAMKVLAMKVLA", "DEDEDESTSTSTDEDEDEST"});
  SplitOptions options;
  options.similarity.relations = parse_relations("whole:95");
  options.fractions = {1, 1};
  options.fixed = {"1", "2", "1", "2"};
  session_.split(set, scoring_, options, {.certificate = certificate_});
  json forged = json::parse(read_file(certificate_));
  forged["predicate"]["relations"][0]["threshold"] = "90";
  forged["predicate"]["nearest_across"][0]["relation"] = "whole:90";
  rewrite(sealed(forged));
  const CertificateCheck check = session_.verify(certificate_, {set}, options.fixed, scoring_, {.sample = 4});
  EXPECT_EQ(check.failures.size(), 1u);
  EXPECT_EQ(check.similar, 1u);
}

}  // namespace
}  // namespace alnus::test
