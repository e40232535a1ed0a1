// Damaged, truncated, foreign and forged database files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <xxhash.h>

#include "io/database_fixture.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(DatabaseTest, RefusesWhatIsNoDatabase) {
  EXPECT_THAT(open_message(), AllOf(HasSubstr(database_), HasSubstr("No such file")));
  write(database_, "");
  EXPECT_THAT(open_message(), HasSubstr("the file is empty"));
  write(database_, ">a\nMKV\n");
  EXPECT_THAT(open_message(), HasSubstr("is no alnus database"));
  write(database_, std::string(10'000, '\0'));
  EXPECT_THAT(open_message(), HasSubstr("is no alnus database"));
  EXPECT_THAT(message(ErrorKind::database, [&] { open_database(directory_.string()); }),
              HasSubstr("directory"));
  EXPECT_THAT(message(ErrorKind::database, [] { open_database("/dev/null"); }), HasSubstr("no regular file"));
}

TEST_F(DatabaseTest, RefusesOtherVersionsAndByteOrders) {
  const std::string bytes = small();
  write(database_, with_header(bytes, [](Header& header) { header.version = 2; }));
  EXPECT_THAT(open_message(), AllOf(HasSubstr("version 2"), HasSubstr("reads version 1 only")));
  write(database_, with_header(bytes, [](Header& header) { header.byte_order = 0x04030201; }));
  EXPECT_THAT(open_message(), HasSubstr("little-endian"));
}

TEST_F(DatabaseTest, FindsEveryTruncation) {
  const std::size_t whole = small().size();
  fs::resize_file(database_, whole + 1);
  EXPECT_THAT(open_message(), HasSubstr("longer"));
  fs::resize_file(database_, whole - 1);
  EXPECT_THAT(open_message(), HasSubstr(std::to_string(whole) + " bytes were written, and the file has " +
                                        std::to_string(whole - 1)));
  for (std::size_t size = whole - 2; size > 0; size -= std::min<std::size_t>(size, size < 5000 ? 7 : 501)) {
    fs::resize_file(database_, size);
    EXPECT_THAT(open_message(), AllOf(HasSubstr("truncated"), HasSubstr(std::to_string(size))));
  }
}

TEST_F(DatabaseTest, FindsEveryChangedHeaderByte) {
  small();
  for (std::size_t i = 0; i < sizeof(Header); ++i) {
    flip(i, i % 8);
    ASSERT_NE(open_message(), "") << i;
    ASSERT_NE(verify_message(), "") << i;
    flip(i, i % 8);
  }
  EXPECT_EQ(verify_message(), "");
}

TEST_F(DatabaseTest, VerifyFindsEveryChangedByte) {
  const std::string bytes = small();
  for (std::size_t i = sizeof(Header); i < bytes.size(); i += 13) {
    flip(i, i % 8);
    ASSERT_NE(verify_message(), "") << i;
    flip(i, i % 8);
  }
  const Header header = header_of(bytes);
  for (std::size_t i = 0; i < format::kSections; ++i) {
    const std::uint64_t first = header.sections[i].offset;
    flip(first, 2);
    EXPECT_THAT(verify_message(), AllOf(HasSubstr("block"), HasSubstr(std::string(format::kSectionNames[i])),
                                        HasSubstr("bytes " + std::to_string(first) + " to ")));
    flip(first, 2);
  }
  EXPECT_EQ(verify_message(), "");
}

TEST_F(DatabaseTest, OpenRefusesIndexesThatLeadOutside) {
  const std::string bytes = small();
  const auto refused = [&](const std::string& changed) {
    write(database_, changed);
    return open_message();
  };
  const std::uint64_t huge = ~0ULL - 3;
  for (const SectionId id : {SectionId::offsets, SectionId::header_offsets}) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_THAT(refused(with_item(bytes, id, i, huge)), HasSubstr("offsets"));
  }
  EXPECT_THAT(refused(with_item(bytes, SectionId::offsets, 1, std::uint64_t{9})), HasSubstr("longest"));
  EXPECT_THAT(refused(with_item(bytes, SectionId::offsets, 2, std::uint64_t{14})),
              HasSubstr("sequence 2 is longer"));
  EXPECT_THAT(refused(with_item(bytes, SectionId::file_order, 2, std::uint32_t{4})), HasSubstr("entry 2"));
}

TEST_F(DatabaseTest, OpenRefusesHeadersThatContradictThemselves) {
  const std::string bytes = small();
  const std::vector<std::function<void(Header&)>> changes = {
      [](Header& h) { h.alphabet = 2; },
      [](Header& h) { h.sequences = 5; },
      [](Header& h) { h.sequences = ~0ULL; },
      [](Header& h) { h.sequences = 0xffffffff; },
      [](Header& h) { h.residues += 1; },
      [](Header& h) { h.residues = 1ULL << 63; },
      [](Header& h) { h.longest = 11; },
      [](Header& h) { h.shortest = 2; },
      [](Header& h) { h.sections[2].bytes = ~0ULL; },
      [](Header& h) { h.sections[0].offset += 4096; },
      [](Header& h) { h.sections[0].offset = ~0ULL; },
      [](Header& h) { h.sections[1].id = SectionId::residues; },
      [](Header& h) { h.section_count = 7; },
      [](Header& h) { h.block_bytes = 0; },
      [](Header& h) { h.reserved[5] = 1; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    write(database_, with_header(bytes, changes[i]));
    EXPECT_THAT(open_message(), HasSubstr("damaged")) << i;
  }
}

// Files whose checksums are right, but whose contents alnus would never write.
TEST_F(DatabaseTest, VerifyChecksWhatChecksumsCannot) {
  const auto sealed = [](std::string bytes) {
    const Header header = header_of(bytes);
    std::vector<std::uint64_t> sums;
    for (std::size_t i = 0; i < format::kDataSections; ++i) {  // each section is one block
      sums.push_back(XXH3_64bits(bytes.data() + header.sections[i].offset, header.sections[i].bytes));
    }
    std::memcpy(bytes.data() + header.section(SectionId::block_sums).offset, sums.data(), sums.size() * 8);
    return with_header(bytes, [&](Header& h) {
      h.digest = format::digest(sums.data(), sums.size(), AlphabetKind::protein);
    });
  };
  const std::string bytes = small();
  EXPECT_EQ(sealed(bytes), bytes);
  write(database_, sealed(with_item(bytes, SectionId::residues, 3, Residue{27})));
  EXPECT_THAT(verify_message(), HasSubstr("byte 4099 holds 27"));
  write(database_, sealed(with_item(bytes, SectionId::residues, 3, Residue{0x40})));
  EXPECT_THAT(verify_message(), HasSubstr("byte 4099 holds 64"));
  write(database_, sealed(with_item(bytes, SectionId::file_order, 0, std::uint32_t{2})));
  EXPECT_THAT(verify_message(), HasSubstr("place 2"));
}

}  // namespace
}  // namespace alnus::io
