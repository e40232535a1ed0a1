// SAM allows fewer names than FASTA: names that would become one are refused.
#include "io/sam_names.h"

#include <array>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "alnus/error.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SequenceSet named(const std::vector<std::string>& headers) {
  SequenceSetBuilder builder(AlphabetKind::dna, "reads.fastq");
  for (const std::string& header : headers) builder.add_text(header, "ACGT");
  return builder.finish();
}

std::string refusal(const std::function<void()>& check) {
  try {
    check();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}
std::string refusal_of_queries(const std::vector<std::string>& headers) {
  return refusal([&] { check_sam_queries(named(headers)); });
}
std::string refusal_of_subjects(const std::vector<std::string>& headers) {
  return refusal([&] { check_sam_subjects(named(headers)); });
}
std::string refusal_of_a_stream(const std::vector<std::string>& headers) {
  return refusal([&] {
    SamQueryNames names;
    const SequenceSet queries = named(headers);
    for (SequenceSet::Index i = 0; i < queries.size(); ++i)
      names.add(queries[i].id(), "query " + std::to_string(i + 1), i + 1);
  });
}

const std::string kLong(254, 'r');

TEST(SamNames, HaveOnlyBytesThatSamAllows) {
  EXPECT_EQ(sam_query_name("a@b\x7f\xc3"), "a_b__");
  EXPECT_EQ(sam_query_name("a,b(c)=*"), "a,b(c)=*");
  EXPECT_EQ(sam_query_name(""), "*");
  EXPECT_EQ(sam_query_name(kLong + "1"), kLong);
  EXPECT_EQ(sam_reference_name("a@b,c(d)"), "a@b_c_d_");
  EXPECT_EQ(sam_reference_name("*=*"), "_=*");
  EXPECT_EQ(sam_reference_name(""), "_");
}

TEST(SamNames, QueriesThatBecomeOneReadAreRefused) {
  for (const auto& [one, other, name] : std::vector<std::array<std::string, 3>>{
           {"r@1", "r_1", "r_1"}, {"r_1", "r@1", "r_1"}, {"r@1", "r\xc3\x31", "r_1"}}) {
    EXPECT_THAT(refusal_of_queries({"x", one + " title", "y", other}),
                AllOf(HasSubstr("reads.fastq: record 2 ('"), HasSubstr(" and record 4 ('"),
                      HasSubstr("would both be the read '" + name + "' of SAM")));
    EXPECT_THAT(refusal_of_a_stream({"x", one, "y", other}),
                HasSubstr("query 4 and record 2 would both be the read '" + name + "' of SAM"));
  }
  for (const auto& headers : std::vector<std::vector<std::string>>{
           {kLong + "1", kLong + "2"}, {kLong, kLong + "2"}, {kLong + "1", kLong}}) {
    EXPECT_THAT(refusal_of_queries(headers), HasSubstr("record 1 ('rrr"));
    EXPECT_THAT(refusal_of_queries(headers), HasSubstr("cuts names at 254 bytes"));
    EXPECT_THAT(refusal_of_a_stream(headers), HasSubstr("query 2 and record 1 would"));
  }
}

TEST(SamNames, QueriesMayShareTheirOwnIdAndHaveNone) {
  for (const auto& headers : std::vector<std::vector<std::string>>{{"r@1", "r@1 again"},
                                                                   {"r_1", "r_1"},
                                                                   {"", "*", ""},
                                                                   {"r@1", "r_2", "r-1", "r1"},
                                                                   {kLong, kLong},
                                                                   {kLong.substr(1), kLong}}) {
    EXPECT_EQ(refusal_of_queries(headers), "");
    EXPECT_EQ(refusal_of_a_stream(headers), "");
  }
}

TEST(SamNames, SubjectsOfOneNameAreRefused) {
  EXPECT_THAT(refusal_of_subjects({"x", "same one", "same two"}),
              AllOf(HasSubstr("Two sequences of reads.fastq are named same (as SAM writes it)"),
                    HasSubstr("record 2 ('same') and record 3 ('same')")));
  EXPECT_THAT(refusal_of_subjects({"chr,1", "chr_1"}),
              HasSubstr("record 1 ('chr,1') and record 2 ('chr_1')"));
  EXPECT_EQ(refusal_of_subjects({kLong + "1", kLong + "2", "chr@1", "chr_1"}), "") << "these names differ";
}

}  // namespace
}  // namespace alnus::io
