// The files that hold parts of jobs: their chunks, and all kinds of damage.
#include "io/part_file.h"

#include <cstring>
#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "io/packed.h"
#include "support/sizes.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns the message of the input error that `action` throws. Anything else is a failure and returns "".
std::string input_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return plain_text(error.what());
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return "";
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

// ---- Arrays in a chunk ----

TEST(PackedArrays, ComeBackInTheirOrder) {
  Packer packer;
  packer.add(std::vector<std::uint8_t>{1, 2, 3});
  packer.add(std::vector<double>{0.5, -1e300});
  packer.add(std::string_view("a text"));
  packer.add(std::vector<std::uint64_t>{});
  packer.add(std::string_view());
  packer.add(std::vector<std::uint32_t>{7});
  EXPECT_EQ(packer.bytes().size() % kWord, 0u);
  Unpacker from(packer.bytes());
  EXPECT_THAT(from.take<std::uint8_t>(), ElementsAre(1, 2, 3));
  EXPECT_THAT(from.take<double>(2), ElementsAre(0.5, -1e300));
  EXPECT_EQ(from.take_text(), "a text");
  EXPECT_THAT(from.take<std::uint64_t>(), IsEmpty());
  EXPECT_EQ(from.take_text(), "");
  EXPECT_THAT(from.take<std::uint32_t>(), ElementsAre(7));
  EXPECT_NO_THROW(from.require_end());
}

TEST(PackedArrays, OfEverySizeBeginAtAWord) {
  for (std::size_t size = 0; size < 40; ++size) {
    Packer packer;
    packer.add(std::string(size, 'x'));
    EXPECT_EQ(packer.bytes().size(), kWord + (size + kWord - 1) / kWord * kWord);
    packer.add(std::vector<std::uint64_t>{size});
    Unpacker from(packer.bytes());
    EXPECT_EQ(from.take_text(), std::string(size, 'x'));
    EXPECT_THAT(from.take<std::uint64_t>(1), ElementsAre(size));
    from.require_end();
  }
}

TEST(PackedArrays, NothingIsNothing) {
  EXPECT_THAT(Packer().bytes(), IsEmpty());
  Unpacker from({});
  EXPECT_NO_THROW(from.require_end());
  EXPECT_NE(input_error([&] { from.take<std::uint8_t>(); }), "");
}

TEST(PackedArrays, OfOtherSizesAreErrors) {
  Packer packer;
  packer.add(std::vector<std::uint32_t>{1, 2, 3});
  const auto from = [&] { return Unpacker(packer.bytes()); };
  EXPECT_NE(input_error([&] { from().take<std::uint32_t>(2); }), "");
  EXPECT_NE(input_error([&] { from().take<std::uint32_t>(4); }), "");
  EXPECT_NE(input_error([&] { from().take<std::uint64_t>(); }), "") << "3 of 8 bytes are not there";
  EXPECT_NE(input_error([&] { from().require_end(); }), "");
  for (std::size_t size = 0; size < packer.bytes().size(); ++size)
    EXPECT_NE(input_error([&] { Unpacker(packer.bytes().first(size)).take<std::uint32_t>(); }), "") << size;
}

// Numbers of elements that are too large: most of them need more bytes than 64 bits can count.
TEST(PackedArrays, NumbersThatAreTooLargeAreErrors) {
  for (const std::uint64_t count : {~std::uint64_t{0}, ~std::uint64_t{0} / 8, ~std::uint64_t{0} / 8 + 1,
                                    std::uint64_t{1} << 61, std::uint64_t{1} << 63, std::uint64_t{3}}) {
    const std::vector<std::uint64_t> words = {count, 0, 0};
    const auto bytes = std::as_bytes(std::span(words));
    EXPECT_NE(input_error([&] { Unpacker(bytes).take<std::uint64_t>(); }), "") << count;
    if (count == 3) continue;
    EXPECT_NE(input_error([&] { Unpacker(bytes).take<std::uint8_t>(); }), "") << count;
    EXPECT_NE(input_error([&] { Unpacker(bytes).take_text(); }), "") << count;
  }
}

// ---- Files ----

using Chunks = std::vector<std::pair<ChunkKind, std::string>>;

void write(const std::string& path, const Chunks& chunks, bool appended = false) {
  PartFileWriter part({path, appended});
  for (const auto& [kind, text] : chunks) part.add(kind, std::string_view(text));
  part.commit();
}

// Returns all chunks of the part that begins at `begin`. `end` gets the place where it ends.
Chunks read(const std::string& path, std::uint64_t begin = 0, std::uint64_t* end = nullptr) {
  Chunks chunks;
  PartFileReader part(path, begin);
  EXPECT_EQ(part.path(), path);
  for (; !part.at_end(); part.next()) chunks.emplace_back(part.kind(), part.read().text());
  if (end != nullptr) *end = part.end();
  return chunks;
}

constexpr std::size_t kMagic = 16, kHeader = sizeof(ChunkHeader);

class PartFile : public ::testing::Test {
 protected:
  std::string file_with(std::string_view bytes) const { return directory_.write_file("changed", bytes); }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      names.insert(entry.path().filename().string());
    return names;
  }

  const test::TempDir directory_;
  const std::string path_ = directory_.file("part");
  const Chunks chunks_ = {{ChunkKind::job, "{\"a\": 1}"},  {ChunkKind::sequences, std::string(1000, 's')},
                          {ChunkKind::hits, ""},           {ChunkKind::hits, std::string("\0\1\2", 3)},
                          {ChunkKind::stripe, "a stripe"}, {ChunkKind::edges, ""},
                          {ChunkKind::summary, "the end"}};
};

TEST_F(PartFile, ChunksComeBackInTheirOrder) {
  write(path_, chunks_);
  std::uint64_t end = 0;
  EXPECT_EQ(read(path_, 0, &end), chunks_);
  EXPECT_EQ(end, std::filesystem::file_size(path_));
  EXPECT_THAT(files(), ElementsAre("part"));
  const Chunks least = {{ChunkKind::summary, ""}};
  write(path_, least);
  EXPECT_EQ(read(path_), least) << "in place of the other";
}

TEST_F(PartFile, BytesOfAChunkLieAtAWord) {
  Packer packer;
  packer.add(std::vector<double>{1, 2});
  {
    PartFileWriter part(path_);
    part.add(ChunkKind::hits, packer.bytes());
    part.add(ChunkKind::summary, "");
    part.commit();
  }
  ChunkBytes bytes;
  {
    const PartFileReader part(path_);
    bytes = part.read();
  }
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.bytes().data()) % kWord, 0u);
  EXPECT_THAT(Unpacker(bytes.bytes()).take<double>(), ElementsAre(1, 2)) << "they outlive the reader";
}

TEST_F(PartFile, ALargeChunkIsCompressed) {
  std::string text;
  for (int k = 0; k < 300'000; ++k) text += std::to_string(k % 1000) + ",";
  const Chunks chunks = {{ChunkKind::hits, text}, {ChunkKind::summary, ""}};
  write(path_, chunks);
  EXPECT_LT(std::filesystem::file_size(path_), text.size() / 2);
  EXPECT_EQ(read(path_), chunks);
}

TEST_F(PartFile, ChunksMayBeSkipped) {
  write(path_, chunks_);
  PartFileReader part(path_);
  for (int k = 0; k < 4; ++k) part.next();
  EXPECT_EQ(part.kind(), ChunkKind::stripe);
  EXPECT_EQ(part.read().text(), "a stripe");
  EXPECT_EQ(part.read().text(), "a stripe") << "again";
}

TEST_F(PartFile, WhatIsNotCommittedLeavesNothing) {
  {
    PartFileWriter part(path_);
    part.add(ChunkKind::job, "a job");
  }
  EXPECT_THAT(files(), IsEmpty());
  write(path_, chunks_);
  {
    PartFileWriter part(path_);
    part.add(ChunkKind::job, "another job");
  }
  EXPECT_EQ(read(path_), chunks_) << "the old one is still there";
  EXPECT_THAT(files(), ElementsAre("part"));
}

TEST_F(PartFile, PartsBehindEachOther) {
  const Chunks second = {{ChunkKind::job, "second"}, {ChunkKind::summary, ""}};
  write(path_, chunks_, true);
  const std::uint64_t begin = std::filesystem::file_size(path_);
  write(path_, second, true);
  {
    PartFileWriter part({path_, true});
    part.add(ChunkKind::job, "that nobody commits");
  }
  std::uint64_t end = 0;
  EXPECT_EQ(read(path_, 0, &end), chunks_);
  EXPECT_EQ(end, begin);
  EXPECT_EQ(read(path_, begin, &end), second);
  EXPECT_EQ(end, std::filesystem::file_size(path_));
  PartFileReader first(path_);
  while (!first.at_end()) first.next();
  EXPECT_TRUE(first.has_more());
  PartFileReader last(path_, begin);
  while (!last.at_end()) last.next();
  EXPECT_FALSE(last.has_more());
}

TEST_F(PartFile, AFileThatCannotBeWritten) {
  const std::string path = directory_.file("no_folder") + "/part";
  for (const bool appended : {false, true}) {
    try {
      write(path, chunks_, appended);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::other);
      EXPECT_THAT(error.what(), AllOf(HasSubstr(path), HasSubstr("No such file")));
    }
  }
}

// ---- Damage ----

TEST_F(PartFile, EveryByteThatChangesIsNoticed) {
  write(path_, chunks_);
  const std::string bytes = test::read_file(path_);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; bit += test::full_tests() ? 1 : 7) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const std::string path = file_with(changed);
      const std::string error = input_error([&] { read(path); });
      EXPECT_THAT(error, HasSubstr(path)) << "bit " << bit << " of byte " << at;
      if (at < 16) continue;
      EXPECT_THAT(error, AllOf(HasSubstr("is damaged from byte "), HasSubstr("Compute this part again.")))
          << "bit " << bit << " of byte " << at;
    }
}

TEST_F(PartFile, EveryTruncationIsNoticed) {
  write(path_, chunks_);
  const std::string bytes = test::read_file(path_);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::string path = file_with(bytes.substr(0, size));
    EXPECT_THAT(input_error([&] { read(path); }), HasSubstr(path)) << size;
  }
}

TEST_F(PartFile, DamageIsNamedWithItsByte) {
  write(path_, chunks_);
  std::string bytes = test::read_file(path_);
  bytes[bytes.size() - kHeader - 1] ^= 1;  // in the last chunk's contents, before the end
  const std::string path = file_with(bytes);
  std::uint64_t last = 0;
  for (PartFileReader part(path_); !part.at_end(); part.next()) last = part.end();
  EXPECT_EQ(input_error([&] { read(path); }), path + " is damaged from byte " + std::to_string(last) +
                                                  " on: its digest does not match. Compute this part again.");
  const std::string cut = file_with(bytes.substr(0, last + 10));
  EXPECT_THAT(input_error([&] { read(cut); }), HasSubstr("the file ends in the middle of a chunk"));
  const std::string without_end = file_with(bytes.substr(0, last));
  EXPECT_THAT(input_error([&] { read(without_end); }), HasSubstr("the file ends before the part does"));
}

// The reader of a part does not read the bytes after it, which may be another part.
TEST_F(PartFile, WhatIsBehindTheEndIsForAnotherReader) {
  write(path_, chunks_);
  const std::string bytes = test::read_file(path_);
  const std::string path = file_with(bytes + "more");
  std::uint64_t end = 0;
  EXPECT_EQ(read(path, 0, &end), chunks_);
  EXPECT_EQ(end, bytes.size());
  EXPECT_THAT(input_error([&] { read(path, end); }),
              AllOf(HasSubstr(path), HasSubstr("is damaged from byte " + std::to_string(end)),
                    HasSubstr("no part begins there")));
  EXPECT_THAT(input_error([&] { read(path, bytes.size() + 5); }), HasSubstr("the file ends before that"));
  EXPECT_THAT(input_error([&] { read(path, ~std::uint64_t{0}); }), HasSubstr("the file ends before that"));
}

// Returns the chunks of the part in this file, each with its header. The last one is the end.
std::vector<std::string> pieces_of(const std::string& part) {
  std::vector<std::string> pieces;
  for (std::size_t at = kMagic; at < part.size();) {
    std::uint64_t stored = 0;
    std::memcpy(&stored, part.data() + at + 16, sizeof stored);
    pieces.push_back(part.substr(at, kHeader + stored));
    at += pieces.back().size();
  }
  return pieces;
}

// Each chunk has its own right digest, but the part as a whole is another one.
TEST_F(PartFile, ChunksThatAreMissingOrTwiceOrMoved) {
  write(path_, chunks_);
  const std::string bytes = test::read_file(path_);
  const std::vector<std::string> pieces = pieces_of(bytes);
  const auto error_of = [&](const std::vector<std::string>& moved) {
    std::string part = bytes.substr(0, kMagic);
    for (const std::string& piece : moved) part += piece;
    const std::string path = file_with(part);
    return input_error([&] { read(path); });
  };
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    std::vector<std::string> without = pieces, twice = pieces;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(k), pieces[k]);
    EXPECT_THAT(error_of(without), HasSubstr("is damaged from byte ")) << k;
    if (k + 1 < pieces.size()) {
      EXPECT_THAT(error_of(twice), HasSubstr("is damaged from byte ")) << k;
    }
    for (std::size_t other = 0; other < k; ++other) {
      std::vector<std::string> swapped = pieces;
      std::swap(swapped[k], swapped[other]);
      EXPECT_THAT(error_of(swapped), HasSubstr("is damaged from byte ")) << k << " and " << other;
    }
  }
  std::vector<std::string> without = pieces;
  without.erase(without.begin() + 1);
  EXPECT_THAT(error_of(without), HasSubstr("as if chunks were missing, or came twice or in another order"));
}

TEST_F(PartFile, NothingIsBetweenTheSummaryAndTheEnd) {
  write(path_, {{ChunkKind::summary, ""}, {ChunkKind::hits, ""}, {ChunkKind::summary, ""}});
  EXPECT_THAT(input_error([&] { read(path_); }), HasSubstr("the part does not end behind its summary"));
  write(path_, {{ChunkKind::job, ""}});
  EXPECT_THAT(input_error([&] { read(path_); }), HasSubstr("the part ends without its summary"));
  write(path_, {});
  EXPECT_THAT(input_error([&] { read(path_); }), HasSubstr("no chunk begins there"));
}

// A chunk that compresses better than readers allow (kMostCompression) is stored with more bytes than it
// needs, and is read back as it was.
TEST_F(PartFile, AChunkOfZeros) {
  const Chunks chunks = {{ChunkKind::stripe, std::string(10 << 20, '\0')}, {ChunkKind::summary, ""}};
  write(path_, chunks);
  EXPECT_GE(std::filesystem::file_size(path_), (std::size_t{10} << 20) / kMostCompression);
  EXPECT_LE(std::filesystem::file_size(path_), (std::size_t{10} << 20) / kMostCompression + 1000);
  EXPECT_EQ(read(path_), chunks);
}

// The header of a chunk has a right digest, but promises more bytes than its stored bytes become when they
// are decompressed.
TEST_F(PartFile, SizesThatAreNotBelieved) {
  for (const std::uint64_t size : {std::uint64_t{1} << 32, std::uint64_t{600}, std::uint64_t{5}}) {
    write(path_, {{ChunkKind::summary, "text"}});
    std::string bytes = test::read_file(path_);
    ChunkHeader header;
    std::memcpy(&header, bytes.data() + kMagic, kHeader);
    header.bytes = size;
    header.digest_with(bytes.data() + kMagic + kHeader).copy(header.digest, sizeof header.digest);
    ChunkList list;
    list.add(header);
    const ChunkHeader end = list.end();
    std::memcpy(bytes.data() + kMagic, &header, kHeader);
    std::memcpy(bytes.data() + bytes.size() - kHeader, &end, kHeader);
    const std::string path = file_with(bytes);
    EXPECT_THAT(input_error([&] { read(path); }),
                HasSubstr(size == std::uint64_t{1} << 32 ? "its contents are longer than they can be"
                                                         : "it cannot be decompressed"));
  }
}

// The sizes in a damaged header are checked before memory is allocated for them.
TEST_F(PartFile, SizesThatNoFileHas) {
  write(path_, {{ChunkKind::summary, "text"}});
  const std::string bytes = test::read_file(path_);
  for (const std::size_t field : {24U, 32U})
    for (const std::uint64_t size : {~std::uint64_t{0}, ~std::uint64_t{0} - 56, std::uint64_t{1} << 62}) {
      std::string changed = bytes;
      std::memcpy(changed.data() + field, &size, sizeof size);
      const std::string path = file_with(changed);
      EXPECT_THAT(input_error([&] { read(path); }), HasSubstr(path + " is damaged from byte 16")) << field;
    }
}

TEST_F(PartFile, WhatIsNoPart) {
  const auto error = [&](const std::string& bytes) { return input_error([&] { read(file_with(bytes)); }); };
  for (const char* bytes : {"", "a", ">s\nMKTAYIAKQR\n", "alnus part", "alnus", "Alnus part 4\n\n\n\n"})
    EXPECT_THAT(error(bytes), HasSubstr("changed is no part of a job")) << bytes;
  write(path_, chunks_);
  const std::string current = test::read_file(path_);
  std::vector<std::string> others = {current, current, current, current};
  others[0][11] = '1';
  others[1][11] = '6';
  others[2][11] = '8';
  others[3][14] ^= 1;  // other columns
  for (const std::string& other : others) {
    EXPECT_THAT(error(other),
                HasSubstr("changed was written by another version of alnus, in another format. Compute it"));
    EXPECT_THAT(error(other.substr(0, 16)), HasSubstr("another version"));
  }
}

TEST_F(PartFile, WhatIsNoFile) {
  const std::string missing = directory_.file("missing");
  EXPECT_THAT(input_error([&] { PartFileReader part(missing); }),
              HasSubstr(missing + " cannot be opened: No such file or directory."));
  const std::string folder = directory_.path().string();
  EXPECT_THAT(input_error([&] { PartFileReader part(folder); }), HasSubstr(folder + " is no file"));
  EXPECT_THAT(input_error([&] { PartFileReader part("/dev/null"); }), HasSubstr("/dev/null is no file"));
  EXPECT_THAT(input_error([&] { PartFileReader part(""); }), HasSubstr("cannot be opened"));
  const std::string pipe = directory_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(input_error([&] { PartFileReader part(pipe); }), HasSubstr(pipe + " is no file"))
      << "without waiting for a writer";
}

TEST_F(PartFile, AFileThatBecomesShorterWhileItIsRead) {
  write(path_, chunks_);
  PartFileReader part(path_);
  std::filesystem::resize_file(path_, 40);
  EXPECT_THAT(input_error([&] { part.read(); }), AllOf(HasSubstr(path_), HasSubstr("became shorter")));
}

TEST_F(PartFile, WhatIsWrongInAChunkNamesItsByte) {
  write(path_, chunks_);
  PartFileReader part(path_);
  EXPECT_EQ(input_error([&] { part.refuse("it is odd"); }),
            path_ + " is damaged from byte 16 on: it is odd. Compute this part again.");
}

}  // namespace
}  // namespace alnus::io
