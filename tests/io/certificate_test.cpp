// Certificates: the same bytes everywhere, and every change of a count, digest or id is found without the
// sequences.
#include "io/certificate.h"

#include <cctype>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/certificate_json.h"
#include "io/membership_fixture.h"
#include "io/set_digests.h"
#include "io/sha2.h"
#include "io/writer_fixture.h"
#include "support/compression.h"

namespace alnus::io {
namespace {

using nlohmann::json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Certificate example() {
  Certificate certificate;
  certificate.version = "1.2.3";
  certificate.relations = {
      {"whole", "30", {{"matrix", "EBLOSUM62"}, {"gap open", "10"}, {"mode", "semiglobal"}}},
      {"part", "30", {{"matrix", "BLOSUM62"}, {"E-value", "0.001"}}}};
  certificate.search_space = {12, 1300};
  certificate.subsets = {{"train", {6, 600}, sha256("train"), sha256("ids of train")},
                         {"test, \"held out\"", {3, 350}, sha256("test"), sha256("ids of test")},
                         {"Überprüfung", {1, 100}, sha256("valid"), sha256("ids of valid")}};
  certificate.removed = {{"P1", "P2|X"}, 250};
  certificate.pairs_compared = {6 * 3 + 6 + 3, 15 + 3};
  certificate.edges = {4, sha256("sum"), Certificate::Origin::computed};
  certificate.nearest_across = {Certificate::NearestPair{"P7", "P9", "29.878"}, std::nullopt};
  certificate.nearest_identities = Certificate::Histogram{"whole", {{0, 1}, {20, 4}, {25, 3}}, 2};
  certificate.files = {{"sequences.fasta.gz", sha256("file")}};
  return certificate;
}

CertificateText parsed_again(const json& statement) { return parse_certificate(statement.dump(), "c.json"); }

// The statement of `certificate` after `change`, with its digests made anew.
template <class Change>
CertificateText sealed_again(const Change& change) {
  json statement = json::parse(to_json(example()));
  change(statement);
  statement["predicate"][kSeal] = seal_of(statement["predicate"]);
  return parsed_again(statement);
}

TEST(Certificate, HasTheSameBytesEverywhere) {
  expect_golden("certificate.json", to_json(example()));
  EXPECT_THAT(contradictions(parse_certificate(to_json(example()), "c.json")), IsEmpty());
}

TEST(Certificate, IsReadAsItWasWritten) {
  const CertificateText read = parse_certificate(to_json(example()), "c.json");
  EXPECT_EQ(to_json(read.certificate), to_json(example()));
  EXPECT_EQ(read.subjects.size(), 3U);
  EXPECT_EQ(read.certificate.nearest_across[0]->second, "P9");
  EXPECT_FALSE(read.certificate.nearest_across[1]);
  EXPECT_EQ(read.certificate.relations[0].parameters.at("gap open"), "10");
  Certificate plain = example();
  plain.nearest_identities = std::nullopt;
  plain.edges = {4, std::nullopt, Certificate::Origin::given};
  plain.pairs_compared = {};
  plain.removed = {};
  plain.search_space = {10, 1050};
  const CertificateText given = parse_certificate(to_json(plain), "c.json");
  EXPECT_THAT(contradictions(given), IsEmpty());
  EXPECT_EQ(to_json(given.certificate), to_json(plain));
  plain.relations.clear();  // given edges may have none
  plain.nearest_across.clear();
  EXPECT_THAT(contradictions(parse_certificate(to_json(plain), "c.json")), IsEmpty());
}

TEST(Certificate, HoldsInAnotherLayout) {
  const json statement = json::parse(to_json(example()));
  for (const int indent : {-1, 0, 7})
    EXPECT_THAT(contradictions(parse_certificate(statement.dump(indent), "c.json")), IsEmpty());
}

TEST(Certificate, IsWrittenAndReadAsAFile) {
  const TemporaryDirectory directory;
  ThreadPool pool(1);
  const std::string path = directory.file("c.json.gz");
  OutputFile out(pool, path);
  write_certificate(out, example());
  out.commit();
  EXPECT_EQ(to_json(read_certificate(path).certificate), to_json(example()));
  Certificate wrong = example();
  wrong.pairs_compared.across = 1;
  OutputFile other(pool, directory.file("wrong.json"));
  try {
    write_certificate(other, wrong);
    ADD_FAILURE() << "a certificate that does not hold was written";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::other);
    EXPECT_THAT(error.what(), HasSubstr("predicate.pairs_compared.across is 1"));
  }
}

// Changes each digit of the file, one at a time.
TEST(Certificate, EveryChangedDigitIsFound) {
  const std::string text = to_json(example());
  int digits = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    ++digits;
    std::string changed = text;
    changed[at] = text[at] == '9' ? '8' : static_cast<char>(text[at] + 1);
    try {
      EXPECT_THAT(contradictions(parse_certificate(changed, "c.json")), ::testing::Not(IsEmpty()))
          << text.substr(at > 60 ? at - 60 : 0, 80);
    } catch (const Error& error) {  // a key or a type that is not known
      EXPECT_THAT(error.what(), HasSubstr("c.json")) << at;
    }
  }
  EXPECT_GT(digits, 300);
}

TEST(Certificate, EveryRemovedLineIsFound) {
  const std::string text = to_json(example());
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    std::string changed = text;
    changed.erase(begin, end - begin);
    bool found = false;
    try {
      found = !contradictions(parse_certificate(changed, "c.json")).empty();
    } catch (const Error&) {
      found = true;
    }
    EXPECT_TRUE(found) << text.substr(begin, end - begin);
    begin = end;
  }
}

// A change whose author made the digest of the predicate anew.
TEST(Certificate, SumsAreCheckedToo) {
  const auto sentences = [](const auto& change) { return contradictions(sealed_again(change)); };
  const auto at = [](json& s, const char* pointer) -> json& {
    return s["predicate"][json::json_pointer(pointer)];
  };
  EXPECT_THAT(sentences([](json&) {}), IsEmpty());
  const std::vector<std::pair<std::function<void(json&)>, std::string>> cases = {
      {[&](json& s) { at(s, "/subsets/0/records") = 7; },
       "predicate.search_space.records is 12, but the records of all subsets and the removed ones are 13."},
      {[&](json& s) { at(s, "/subsets/0/residues") = 601; },
       "predicate.search_space.residues is 1300, but the residues of all subsets and the removed ones are "
       "1301."},
      {[&](json& s) { at(s, "/removed/residues") = 251; }, "predicate.search_space.residues is 1300"},
      {[&](json& s) { at(s, "/search_space/records") = 13; }, "predicate.search_space.records is 13"},
      {[&](json& s) { at(s, "/pairs_compared/across") = 28; },
       "predicate.pairs_compared.across is 28, but the products of the subsets' sizes give 27."},
      {[&](json& s) { at(s, "/pairs_compared/within") = 19; },
       "predicate.pairs_compared.within is 19, but the sizes of the subsets give 18."},
      {[&](json& s) { at(s, "/edges/across") = 1; },
       "predicate.edges.across is 1, but a certified split has 0."},
      {[&](json& s) { at(s, "/edges/within") = 19; },
       "predicate.edges.within is 19, but the subsets have 18 pairs."},
      {[&](json& s) { at(s, "/edges/origin") = "edges as given"; },
       "A number of predicate.pairs_compared is 27, but with edges as given it is 0."},
      {[&](json& s) { at(s, "/removed/records") = 3; },
       "predicate.removed.records is 3, but the number of ids is 2."},
      {[&](json& s) { at(s, "/removed/ids/0") = "P0"; },
       "predicate.removed.ids_sha256 is not the digest of predicate.removed.ids."},
      {[&](json& s) { at(s, "/removed/ids/0") = "Q"; },
       "predicate.removed.ids is not sorted: 'Q' comes before 'P2|X'."},
      {[&](json& s) { s["subject"][1]["name"] = "x"; },
       "subject[1].name is 'x', but predicate.subsets[1].name is 'test, \"held out\"'."},
      {[&](json& s) { s["subject"][2]["digest"]["contents_sha256"] = sha256("x"); },
       "subject[2].digest.contents_sha256 is not predicate.subsets[2].contents_sha256."},
      {[&](json& s) { s["subject"].erase(2); },
       "The number of subjects is 2, but the number of subsets is 3."},
      {[&](json& s) { at(s, "/subsets/1/name") = "train"; },
       "predicate.subsets[1].name is 'train', as that of an earlier subset."},
      {[&](json& s) { at(s, "/nearest_across").erase(0); },
       "The number of predicate.nearest_across is 1, but the number of relations is 2."},
      {[&](json& s) { at(s, "/nearest_across/0/relation") = "whole:40"; },
       "predicate.nearest_across[0].relation is 'whole:40', but the relation is 'whole:30'."},
      {[&](json& s) { at(s, "/nearest_identities/none") = 3; },
       "The sum of predicate.nearest_identities is 11, but the subsets' records are 10."},
      {[&](json& s) { at(s, "/nearest_identities/bins/1/from") = 0; },
       "predicate.nearest_identities.bins is not sorted at 0."},
      {[&](json& s) { at(s, "/nearest_identities/relation") = "related"; },
       "predicate.nearest_identities.relation is 'related', which is none of the relations."},
      {[&](json& s) { at(s, "/subsets") = json::array(); },
       "predicate.subsets is empty, but a split has subsets."},
      {[&](json& s) { at(s, "/relations") = json::array(); },
       "predicate.relations is empty, but edges that were computed have relations."},
  };
  for (const auto& [change, sentence] : cases) EXPECT_THAT(sentences(change), Contains(HasSubstr(sentence)));
}

TEST(Certificate, TheSealNamesBothDigests) {
  json statement = json::parse(to_json(example()));
  statement["predicate"]["relations"][0]["parameters"]["gap open"] = "11";
  EXPECT_THAT(contradictions(parsed_again(statement)),
              ElementsAre(HasSubstr("the predicate was changed after alnus wrote it")));
}

TEST(Certificate, RefusesWhatTheSchemaDoesNotAllow) {
  const auto message = [](const std::function<void(json&)>& change) {
    json statement = json::parse(to_json(example()));
    change(statement);
    return refusal([&] { parsed_again(statement); });
  };
  const auto at = [](json& s, const char* pointer) -> json& {
    return s["predicate"][json::json_pointer(pointer)];
  };
  const std::vector<std::pair<std::function<void(json&)>, std::string>> cases = {
      {[](json& s) { s = json::array(); }, "c.json: the text must be an object, but is []."},
      {[](json& s) { s["_type"] = "x"; },
       "c.json: _type must be 'https://in-toto.io/Statement/v1', but is \"x\"."},
      {[](json& s) { s["predicateType"] = 1; }, "c.json: predicateType must be a text, but is 1."},
      {[](json& s) { s.erase("subject"); }, "c.json: subject is missing."},
      {[](json& s) { s["more"] = 1; }, "c.json: more is no member of a certificate."},
      {[&](json& s) { at(s, "/kind") = "merge"; },
       "c.json: predicate.kind must be 'split', but is \"merge\"."},
      {[&](json& s) { at(s, "").erase("edges"); }, "c.json: predicate.edges is missing."},
      {[&](json& s) { at(s, "/subsets/1/recordz") = 1; },
       "c.json: predicate.subsets[1].recordz is no member of a certificate."},
      {[&](json& s) { at(s, "/subsets/1/records") = -1; },
       "c.json: predicate.subsets[1].records must be a whole number from 0 to 4294967295, but is -1."},
      {[&](json& s) { at(s, "/subsets/1/records") = 1.5; },
       "must be a whole number from 0 to 4294967295, but is 1.5"},
      {[&](json& s) { at(s, "/subsets/1/records") = "3"; }, "must be a whole number"},
      {[&](json& s) { at(s, "/subsets/1/contents_sha256") = "abc"; },
       "must be a SHA-256: 64 hexadecimal digits"},
      {[&](json& s) { at(s, "/subsets/1/ids_sha256") = "abc"; },
       "predicate.subsets[1].ids_sha256 must be a SHA-256: 64 hexadecimal digits"},
      {[&](json& s) { at(s, "/subsets/1").erase("ids_sha256"); },
       "predicate.subsets[1].ids_sha256 is missing"},
      {[&](json& s) { at(s, "/subsets/1/name") = ""; }, "predicate.subsets[1].name must not be empty"},
      {[&](json& s) { at(s, "/subsets") = json::object(); }, "predicate.subsets must be an array, but is {}"},
      {[&](json& s) { at(s, "/relations/0/threshold") = "0.3"; },
       "predicate.relations[0] must be a relation ("},
      {[&](json& s) { at(s, "/relations/0/threshold") = "30,part:30"; },
       "predicate.relations[0] must be one relation"},
      {[&](json& s) { at(s, "/relations/0/threshold") = "30.0"; },
       "must have kind and threshold as in whole:30"},
      {[&](json& s) { at(s, "/relations/0/parameters") = json::array(); }, "parameters must be an object"},
      {[&](json& s) { at(s, "/relations/0/parameters/mode") = 1; },
       "predicate.relations[0].parameters.mode must be a text, but is 1"},
      {[&](json& s) { at(s, "/removed/ids/1") = nullptr; },
       "predicate.removed.ids[1] must be a text, but is null"},
      {[&](json& s) { at(s, "/edges/origin") = "x"; },
       "predicate.edges.origin must be \"computed\" or \"edges as"},
      {[&](json& s) { at(s, "/edges/sum_sha256") = "x"; }, "predicate.edges.sum_sha256 must be a SHA-256"},
      {[&](json& s) { at(s, "/nearest_across/0/pair/value") = 29.8; },
       "predicate.nearest_across[0].pair.value must be a text, but is 29.8"},
      {[&](json& s) { at(s, "/nearest_identities/bins/0/from") = 101; },
       "bins[0].from must be a whole number from 0"},
      {[&](json& s) { at(s, "/files/0/name") = "a/b"; }, "predicate.files[0].name must have no folder"},
  };
  for (const auto& [change, part] : cases) EXPECT_THAT(message(change), HasSubstr(part));
  EXPECT_EQ(refusal([] { parse_certificate("{\"_type\": x", "c.json"); }),
            "c.json is not JSON from byte 11 on. Give the certificate that alnus split wrote.");
  EXPECT_THAT(refusal([] { parse_certificate("", "c.json"); }),
              HasSubstr("c.json is not JSON from byte 1 on"));
  EXPECT_THAT(refusal([] { parse_certificate("{\"_type\": 1e999}", "c.json"); }),
              HasSubstr("c.json has a number that is larger than any count"));
  std::string twice = to_json(example());
  twice.replace(twice.find("\"within\": 18"), 12, "\"across\": 18");
  EXPECT_THAT(refusal([&] { parse_certificate(twice, "c.json"); }),
              HasSubstr("the key 'across' comes twice"));
}

TEST(Certificate, RefusesTextsThatAreNotUtf8) {
  Certificate certificate = example();
  certificate.removed.ids = {"P1", "P\xff"};
  EXPECT_EQ(refusal([&] { to_json(certificate); }),
            "The id 'P\\xff' is not UTF-8, so that no certificate can hold it. Write it in UTF-8.");
}

}  // namespace
}  // namespace alnus::io
