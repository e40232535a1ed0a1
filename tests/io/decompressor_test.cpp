#include "io/decompressor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "alnus/error.h"
#include "support/compression.h"

namespace alnus::io {
namespace {

using test::bgzf;
using test::gzip;
using test::GzipOptions;
using test::zstd;
using test::zstd_skippable;
using ::testing::AllOf;
using ::testing::HasSubstr;

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : bytes_(std::move(bytes)) {}
  std::size_t read(char* to, std::size_t capacity, const StopFlag&) override {
    const std::size_t count = bytes_.copy(to, capacity, at_);
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

std::string unpack(const std::string& packed, std::size_t piece = 1 << 16) {
  const auto source = decompressed(std::make_unique<MemorySource>(packed), "in.fasta");
  std::string text, buffer(piece, '\0');
  for (std::size_t count = piece; count == piece;) {
    count = source->read(buffer.data(), piece, StopFlag::never());
    text.append(buffer, 0, count);
  }
  EXPECT_EQ(source->read(buffer.data(), piece, StopFlag::never()), 0u);
  return text;
}

// Returns the error's message, or "" if there is no error.
std::string message(const std::string& packed) {
  try {
    unpack(packed);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("in.fasta: "));
    return error.what();
  }
  return "";
}

std::string random_text(std::size_t size, unsigned letters = 20, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::string text(size, '\0');
  for (char& letter : text) letter = static_cast<char>('A' + random() % letters);
  return text;
}

std::string random_bytes(std::size_t size) {
  std::mt19937 random(7);
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(Decompressor, PlainTextIsHandedOn) {
  for (const std::string text : {"", "A", ">a\nM", ">abcd\n", ">abcdefghijk\nMKV\n"}) {
    EXPECT_EQ(unpack(text), text);
    EXPECT_EQ(unpack(text, 1), text);
    EXPECT_EQ(unpack(text, 5), text);
  }
}

TEST(Decompressor, GzipOfEveryKind) {
  const std::string text = random_text(300'000) + std::string(200'000, 'A');
  for (const int level : {0, 1, 6, 9}) {
    for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE}) {
      for (const bool long_header : {false, true})
        EXPECT_EQ(unpack(gzip(text, {level, strategy, long_header})), text) << level << strategy;
    }
  }
  EXPECT_EQ(unpack(gzip("")), "");
}

TEST(Decompressor, GzipMembers) {
  const std::string a = random_text(1000), b = random_text(100'000, 4, 2);
  const std::string packed = gzip(a) + gzip("") + gzip(b, {1, Z_DEFAULT_STRATEGY, true}) + gzip("x");
  EXPECT_EQ(unpack(packed), a + b + "x");
  for (std::size_t piece = 1; piece < 40; ++piece) EXPECT_EQ(unpack(packed, piece), a + b + "x");
  EXPECT_EQ(unpack(bgzf(b)), b);
  EXPECT_EQ(unpack(packed + std::string(100'000, '\0')), a + b + "x") << "zeros, as on tapes";
}

// The decompressor gets its input in blocks. A member's header may begin in one block and end in the next.
TEST(Decompressor, GzipMemberAtAnyPlaceOfABlock) {
  constexpr std::size_t kBlock = 1 << 17;
  const std::string filler = random_bytes(kBlock), text = random_text(3000);
  const std::size_t overhead = gzip(filler, {0}).size() - filler.size();
  for (std::size_t size = kBlock - overhead - 90; size <= kBlock - overhead + 10; ++size) {
    const std::string begin = filler.substr(0, size);
    const std::string packed = gzip(begin, {0}) + gzip(text, {6, Z_DEFAULT_STRATEGY, true});
    ASSERT_EQ(unpack(packed), begin + text) << size;
  }
}

TEST(Decompressor, TruncatedGzip) {
  const std::string packed = gzip(random_text(500), {6, Z_DEFAULT_STRATEGY, true});
  for (std::size_t size = 2; size < packed.size(); ++size) {
    const std::string cut = packed.substr(0, size);
    const std::string place = "break off after " + std::to_string(size) + " bytes";
    ASSERT_THAT(message(cut), AllOf(HasSubstr("gzip"), HasSubstr(place), HasSubstr("truncated")));
    ASSERT_THAT(message(packed + cut), HasSubstr("truncated"));
  }
  EXPECT_THAT(message(packed + packed.substr(0, 1)), HasSubstr("truncated"));
}

TEST(Decompressor, DamagedGzipIsNeverTakenForGood) {
  const std::string text = random_text(500);
  for (const bool long_header : {false, true}) {
    const std::string packed = gzip(text, {6, Z_DEFAULT_STRATEGY, long_header});
    for (std::size_t bit = 16; bit < packed.size() * 8; ++bit) {
      std::string damaged = packed;
      damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
      // Some bits of the header (time, level, system) do not change the text.
      std::string out;
      try {
        out = unpack(damaged);
      } catch (const Error&) {
        continue;
      }
      ASSERT_EQ(out, text) << bit;
    }
  }
  std::string damaged = gzip(text);
  damaged[damaged.size() - 8] ^= 1;
  EXPECT_THAT(message(damaged),
              AllOf(HasSubstr("gzip"), HasSubstr("incorrect data check"), HasSubstr("byte ")));
  damaged = gzip(text);
  damaged[3] = '\x20';
  EXPECT_THAT(message(damaged), HasSubstr("unknown header flags"));
}

TEST(Decompressor, GarbageBehindGzip) {
  const std::string packed = gzip("text");
  const std::string place = "byte " + std::to_string(packed.size()) + " of the compressed file";
  EXPECT_THAT(message(packed + "garbage"), AllOf(HasSubstr(place), HasSubstr("appended")));
  EXPECT_THAT(message(packed + std::string(3, '\0') + "x"), HasSubstr("appended"));
  EXPECT_NE(message(packed + "\x1fgarbage"), "");
}

TEST(Decompressor, ZstdFrames) {
  const std::string a = random_text(1000), b = random_text(500'000, 4, 2);
  EXPECT_EQ(unpack(zstd(a)), a);
  EXPECT_EQ(unpack(zstd("")), "");
  const std::string packed = zstd(a) + zstd_skippable("index") + zstd("") + zstd(b);
  for (const std::size_t piece : {1u, 7u, 1000u, 1u << 20}) EXPECT_EQ(unpack(packed, piece), a + b);
  EXPECT_EQ(unpack(zstd_skippable("") + zstd(a)), a) << "as pzstd begins";
}

TEST(Decompressor, TruncatedZstd) {
  const std::string packed = zstd(random_text(500));
  for (std::size_t size = 4; size < packed.size(); ++size) {
    const std::string cut = packed.substr(0, size);
    const std::string place = "break off after " + std::to_string(size) + " bytes";
    ASSERT_THAT(message(cut), AllOf(HasSubstr("zstd"), HasSubstr(place)));
    ASSERT_THAT(message(packed + cut), HasSubstr("truncated"));
  }
}

TEST(Decompressor, DamagedZstd) {
  const std::string packed = zstd(random_text(500));
  for (std::size_t bit = 32; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    const std::string error = message(damaged);
    // One bit of the frame's descriptor is ignored by all decoders, so it changes nothing.
    if (error.empty()) {
      ASSERT_EQ(unpack(damaged), unpack(packed)) << bit;
    } else {
      ASSERT_THAT(error, HasSubstr("zstd")) << bit;
    }
  }
  EXPECT_THAT(message(packed + "garbage"), HasSubstr("zstd"));
}

TEST(Decompressor, WindowThatTakesTooMuchMemory) {
  // A frame header that asks for a window of 2 GiB.
  const std::string frame("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9);
  EXPECT_THAT(message(frame), AllOf(HasSubstr("window"), HasSubstr("--long")));
}

TEST(Decompressor, NamesOtherCompressions) {
  EXPECT_THAT(message(std::string("\xfd\x37zXZ\0\0\4", 8)), HasSubstr("compressed by xz"));
  EXPECT_THAT(message("BZh91AY&SY"), HasSubstr("bzip2"));
  EXPECT_THAT(message("PK\x03\x04"), HasSubstr("zip"));
  const std::string zip = "PK\x03\x04" + std::string(26, '.');
  for (const char* name : {"a.fasta", "preview_sequences.fasta"})
    EXPECT_THAT(message(zip + name), HasSubstr("compressed by zip"));
  for (const std::string& office :
       {zip + "[Content_Types].xml", zip + "word/document.xml", zip + "xl/workbook.xml",
        zip + "mimetypeapplication/vnd.oasis.opendocument.text", zip + "Index/Document.iwa",
        std::string("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")})
    EXPECT_THAT(message(office),
                HasSubstr("a file of Word, Excel, LibreOffice, Pages or Numbers. Save it as plain text"));
  EXPECT_THAT(message("\x1f\x9d\x90"), HasSubstr("compress"));
}

TEST(Decompressor, NamesWhatIsCompressedTwice) {
  const std::string text = random_text(1);
  EXPECT_THAT(message(gzip(gzip(text))), HasSubstr("compressed twice, by gzip and then by gzip"));
  EXPECT_THAT(message(gzip(zstd(text))), HasSubstr("by zstd and then by gzip"));
  EXPECT_THAT(message(zstd("BZh91AY&SY")), HasSubstr("by bzip2 and then by zstd"));
}

TEST(Decompressor, NamesUtf16AndUtf32) {
  const std::string little("\xff\xfe>\0g\0", 6), big("\xfe\xff\0>\0g", 6);
  for (const std::string& text : {little, big, gzip(little), zstd(big)})
    EXPECT_THAT(message(text), AllOf(HasSubstr("in UTF-16"), HasSubstr("iconv -f UTF-16")));
  const std::string wide_little("\xff\xfe\0\0>\0\0\0", 8), wide_big("\0\0\xfe\xff\0\0\0>", 8);
  for (const std::string& text : {wide_little, wide_big, gzip(wide_little), zstd(wide_big)})
    EXPECT_THAT(message(text), AllOf(HasSubstr("in UTF-32"), HasSubstr("iconv -f UTF-32")));
}

TEST(Decompressor, NamesADatabaseThatIsCompressedOrFromAPipe) {
  const std::string database(
      "\x89"
      "ALNUS\r\n\1\0\0\0",
      12);
  EXPECT_THAT(message(database), HasSubstr("it is a database of alnus makedb. Give its file, not a pipe"));
  EXPECT_THAT(message(gzip(database)), HasSubstr("makedb that was compressed by gzip. Decompress it"));
  EXPECT_THAT(message(zstd(database)), HasSubstr("makedb that was compressed by zstd. Decompress it"));
}

// The message names the end of the damaged frame, whatever comes before and after that frame.
TEST(Decompressor, AWrongZstdChecksumHasItsPlace) {
  for (const std::size_t size : {1, 500, 20000}) {
    const std::string before = zstd(random_text(300)), packed = zstd(random_text(size));
    std::string damaged = before + packed + zstd(random_text(300));
    damaged[before.size() + packed.size() - 1] ^= 1;
    const std::string place =
        "at or before byte " + std::to_string(before.size() + packed.size()) + " of the compressed file";
    EXPECT_THAT(message(damaged), AllOf(HasSubstr("checksum"), HasSubstr(place))) << size;
  }
}

// If the message names a place, the damage is before it.
TEST(Decompressor, DamagedZstdBlocksHaveTheirPlace) {
  const std::string packed = zstd(random_text(20000));
  int named = 0;
  for (std::size_t at = 100; at < packed.size(); at += packed.size() / 20) {
    std::string damaged = packed;
    damaged[at] ^= 0x55;
    const std::string error = message(damaged);
    const std::size_t place = error.find("before byte ");
    if (place == error.npos) continue;
    EXPECT_GT(std::stoull(error.substr(place + 12)), at) << error;
    ++named;
  }
  EXPECT_GT(named, 10);
}

}  // namespace
}  // namespace alnus::io
