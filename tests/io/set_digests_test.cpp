// SHA-2 and the digests of sets: vectors of the standards, and what changes a digest.
#include "io/set_digests.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "io/membership.h"
#include "io/membership_fixture.h"
#include "io/sequence_reader.h"
#include "io/sha2.h"
#include "support/compression.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kTwoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

// NIST's examples for FIPS 180.
TEST(Sha2, Sha256HasTheStandardsVectors) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(kTwoBlocks), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 million;
  for (int piece = 0; piece < 1000; ++piece) million.add(std::string(1000, 'a'));
  EXPECT_EQ(million.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha2, Sha512HasTheStandardsVector) {
  EXPECT_EQ(fmt::format("{:02x}", fmt::join(sha512("abc"), "")),
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
            "454d4423643"
            "ce80e2a9ac94fa54ca49f");
}

// GA4GH's examples for sequences: docs of VRS and refget.
TEST(Sha2, TruncatedDigestsAreThoseOfGa4gh) {
  EXPECT_EQ(sha512t24u(""), "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXc");
  EXPECT_EQ(sha512t24u("ACGT"), "aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2");
}

TEST(Sha2, FilesAreReadAsTheyAre) {
  const test::TempDir directory;
  EXPECT_EQ(sha256_of_file(directory.write_file("a", "abc")), sha256("abc"));
  EXPECT_EQ(sha256_of_file(directory.write_file("empty", "")), sha256(""));
  const std::string packed = test::gzip("abc"), large(1'000'000, 'a');
  EXPECT_EQ(sha256_of_file(directory.write_file("a.gz", packed)), sha256(packed));
  EXPECT_EQ(sha256_of_file(directory.write_file("large", large)), sha256(large));
  EXPECT_THAT(refusal([] { sha256_of_file("/nowhere"); }), HasSubstr("Cannot read /nowhere"));
  StopFlag stop;
  stop.request();
  EXPECT_THROW(sha256_of_file(directory.file("a"), stop), Interrupted);
}

TEST(Sha2, KnowsWhatADigestLooksLike) {
  EXPECT_TRUE(is_sha256(sha256("")));
  EXPECT_FALSE(is_sha256(sha256("").substr(1)));
  EXPECT_FALSE(is_sha256("E" + sha256("").substr(1)));
}

TEST(SetDigests, ResiduesCountInUpperCase) {
  SequenceSetBuilder builder(AlphabetKind::dna);
  builder.add_text("a", "ACGT");
  builder.add_text("b", "acgu");
  builder.add_text("c", "ACGN");
  const SequenceSet set = builder.finish();
  EXPECT_EQ(sequence_digest(set, 0), "aKF498dAxcJAqme6QYQ7EZ07-fiw8Kw2");
  EXPECT_EQ(sequence_digest(set, 1), sequence_digest(set, 0));  // U is read as T
  EXPECT_EQ(sequence_digest(set, 2), sha512t24u("ACGN"));
}

std::string digest_of_file(const std::string& path) {
  ThreadPool pool(1);
  const SequenceSet set = SequenceReader(path, AlphabetKind::protein, Masking{}, pool).read_some();
  return contents_sha256(set, std::vector<std::uint32_t>(set.size(), 0), 1).front();
}

TEST(SetDigests, ContentsDoNotDependOnTheFilesLayout) {
  const test::TempDir directory;
  const std::string plain = ">a first\nMKVLAWRS\n>b\nACDE\n>c\nWW\n";
  const std::string digest = digest_of_file(directory.write_file("plain", plain));
  EXPECT_EQ(digest, sha256("a\t" + sha512t24u("MKVLAWRS") + "\nb\t" + sha512t24u("ACDE") + "\nc\t" +
                           sha512t24u("WW") + "\n"));
  // python/tests/test_certificate_schema.py computes the same digest.
  EXPECT_EQ(digest, "fb2f03425bec650f7e5e6485a41195730c9f08bf025b22ce7ac116ccc6d9f214");
  EXPECT_EQ(digest,
            digest_of_file(directory.write_file("wrapped", ">a other\nMKV\nLAW\nRS\n>b\nAC\nDE\n>c\nWW\n")));
  EXPECT_EQ(digest, digest_of_file(directory.write_file("reordered", ">c\nWW\n>a\nMKVLAWRS\n>b\nacde\n")));
  EXPECT_EQ(digest, digest_of_file(directory.write_file("packed.gz", test::gzip(plain))));
  for (const char* changed :
       {">a\nMKVLAWRT\n>b\nACDE\n>c\nWW\n", ">A\nMKVLAWRS\n>b\nACDE\n>c\nWW\n", ">a\nMKVLAWRS\n>c\nWW\n",
        ">a\nMKVLAWRS\n>b\nACDE\n>c\nWW\n>d\nWW\n", ">a\nACDE\n>b\nMKVLAWRS\n>c\nWW\n"})
    EXPECT_NE(digest, digest_of_file(directory.write_file("changed", changed))) << changed;
}

// A digest of ids is the same for other residues and another order, and not for other ids.
TEST(SetDigests, IdsHaveADigestOfTheirOwn) {
  const auto digest = [](const std::vector<std::pair<std::string, std::string>>& given) {
    SequenceSetBuilder builder(AlphabetKind::protein);
    for (const auto& [id, letters] : given) builder.add_text(id, letters);
    const SequenceSet set = builder.finish();
    return ids_sha256(set, std::vector<std::uint32_t>(set.size(), 0), 1).front();
  };
  const std::string ids = digest({{"b", "ACD"}, {"a", "MKV"}});
  EXPECT_EQ(ids, sha256("a\nb\n"));
  EXPECT_EQ(ids, digest({{"a", "WW"}, {"b", "ACD"}}));
  EXPECT_NE(ids, digest({{"a", "MKV"}, {"c", "ACD"}}));
  EXPECT_NE(ids, digest({{"a", "MKV"}}));
}

TEST(SetDigests, EachSubsetHasItsOwn) {
  const SequenceSet set = records({"a", "b", "c", "d"});
  const std::string acd = sha512t24u("ACD");
  EXPECT_THAT(
      contents_sha256(set, std::vector<std::uint32_t>{1, 0, kNoSet, 1}, 3),
      ElementsAre(sha256("b\t" + acd + "\n"), sha256("a\t" + acd + "\nd\t" + acd + "\n"), sha256("")));
  EXPECT_THAT(ids_sha256(set, std::vector<std::uint32_t>{1, 0, kNoSet, 1}, 3),
              ElementsAre(sha256("b\n"), sha256("a\nd\n"), sha256("")));
  EXPECT_EQ(sha256_of_lines({"b", "a"}), sha256("a\nb\n"));
  EXPECT_EQ(sha256_of_lines({}), sha256(""));
}

// python/tests/test_certificate_schema.py computes the last of the sums.
TEST(PairDigest, IsTheSumOfTheDigestsOfPairs) {
  PairDigest none, one, turned, two, other_order;
  EXPECT_EQ(none.hex(), std::string(64, '0'));
  one.add("a", "b");
  turned.add("b", "a");
  EXPECT_EQ(one.hex(), sha256("a\tb\n"));
  EXPECT_EQ(turned.hex(), one.hex());
  two.add("a", "b");
  two.add("a", "ab");
  other_order.add("ab", "a");
  other_order.add("a", "b");
  EXPECT_EQ(two.hex(), other_order.hex());
  PairDigest many;
  for (int k = 0; k < 1000; ++k) many.add(fmt::format("r{}", k), fmt::format("r{}", k * k % 777));
  EXPECT_EQ(two.hex(), "eb10ce58aa54cad43800ff3b98b2882f48d4f383ebbd0a065e705a43faa0be54");
  EXPECT_EQ(many.hex(), "459f482986c6bb4c3e464c19afcb559fd88dbade7dc0dbc6d9f86d2ad708c212");
}

TEST(SetDigests, RefusesIdsWithLineEnds) {
  SequenceSetBuilder builder(AlphabetKind::protein);
  builder.add_text("a\nb", "A");
  builder.set_id_bytes(3);
  const SequenceSet set = builder.finish();
  EXPECT_THAT(refusal([&] { contents_sha256(set, std::vector<std::uint32_t>{0}, 1); }),
              HasSubstr("The id 'a\\x0ab' has a line end"));
  EXPECT_THAT(refusal([&] { ids_sha256(set, std::vector<std::uint32_t>{0}, 1); }),
              HasSubstr("The id 'a\\x0ab' has a line end"));
}

}  // namespace
}  // namespace alnus::io
