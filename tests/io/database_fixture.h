// For tests of databases: each test has a directory of its own, and functions to make and to damage
// databases.
#pragma once

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <string>
#include <unistd.h>
#include <vector>

#include "alnus/error.h"
#include "io/database.h"
#include "io/database_format.h"

namespace alnus::io {

namespace fs = std::filesystem;
using format::Header;
using format::SectionId;

struct Record {
  std::string header, letters;
};

inline std::string letters(SequenceView sequence, AlphabetKind kind) {
  std::string text;
  for (const Residue residue : sequence.residues) text += Alphabet::of(kind).decode(residue);
  return text;
}

class DatabaseTest : public ::testing::Test {
 protected:
  DatabaseTest() {
    std::string name = (fs::temp_directory_path() / "alnus-database-XXXXXX").string();
    directory_ = ::mkdtemp(name.data());
    database_ = path("db.alnus");
  }
  ~DatabaseTest() override { fs::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  static std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  // Flips a bit of the database file. A second flip restores it.
  void flip(std::size_t byte, int bit) const {
    std::fstream file(database_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(byte));
    const int value = file.get();
    file.seekp(static_cast<std::streamoff>(byte));
    file.put(static_cast<char>(value ^ 1 << bit));
  }
  std::string fasta(const std::string& name, const std::vector<Record>& records) const {
    std::string text;
    for (const Record& record : records) text += ">" + record.header + "\n" + record.letters + "\n";
    write(path(name), text);
    return path(name);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory_)) names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::vector<Record> random_records(std::size_t count, std::size_t longest, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<Record> records(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string title(random() % 40, 't');
      records[i].header = "s" + std::to_string(i) + (title.empty() ? "" : " ") + title;
      records[i].letters.resize(1 + random() % longest);
      for (char& letter : records[i].letters) letter = "ARNDCQEGHILKMFPSTWYVBZX*UOJacd"[random() % 30];
    }
    return records;
  }

  // Returns the message of the error that `action` throws, or "" if it throws none.
  static std::string message(ErrorKind kind, const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.what();
    }
    return "";
  }
  std::string open_message() const {
    return message(ErrorKind::database, [&] { open_database(database_); });
  }
  std::string verify_message() const {
    return message(ErrorKind::database, [&] { verify_database(database_, pool_); });
  }

  // Makes a database of four sequences and returns its bytes.
  std::string small() const {
    make_database({fasta("small.fasta",
                         {{"a first", "MKV"}, {"b", "MKVLAARNDa"}, {"c third", "WWWWW"}, {"d", "RNDC"}})},
                  database_, {}, pool_);
    return read(database_);
  }
  static Header header_of(const std::string& bytes) {
    Header header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    return header;
  }
  // Returns the bytes with a changed header whose checksum is right.
  static std::string with_header(std::string bytes, const std::function<void(Header&)>& change) {
    Header header = header_of(bytes);
    change(header);
    header.checksum = format::header_checksum(header);
    std::memcpy(bytes.data(), &header, sizeof(header));
    return bytes;
  }
  template <typename Item>
  static std::string with_item(std::string bytes, SectionId id, std::size_t index, Item value) {
    std::memcpy(bytes.data() + header_of(bytes).section(id).offset + index * sizeof(Item), &value,
                sizeof(value));
    return bytes;
  }

  mutable ThreadPool pool_{2};
  fs::path directory_;
  std::string database_;
};

}  // namespace alnus::io
