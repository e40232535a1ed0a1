// The lines of a text file, one at a time, decompressed if need be.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/stop_flag.h"
#include "io/byte_source.h"

namespace alnus::io {

// Reads lines that end in LF or CR LF; the last one may have no end. A byte order mark before the first line
// is left out. All functions throw what ByteSource::read() throws, and Error(input) naming file and line for
// a line of more than kLongestLine bytes, and for a line with a byte 0 or with a CR within it.
class LineReader {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;

  explicit LineReader(const Input& input, const StopFlag& stop = StopFlag::never());

  bool next();                                      // goes to the next line; false if there is none
  std::string_view line() const { return line_; }   // without its end; valid until the next call of next()
  std::uint64_t number() const { return number_; }  // of the line, from 1
  const std::string& name() const { return name_; }
  // Throws Error(input): "FILE, line N: " and a sentence.
  [[noreturn]] void refuse(std::string_view sentence) const;

 private:
  bool fill();
  void check_line() const;

  const std::string name_;
  const StopFlag& stop_;
  std::unique_ptr<ByteSource> source_;
  std::string buffer_;
  std::size_t at_ = 0;  // index in the buffer of the next unread byte
  std::string_view line_;
  std::uint64_t number_ = 0;
  bool ended_ = false;  // the source has no more bytes
};

// Throws Error(input): "FILE, line N: " and a sentence.
[[noreturn]] void refuse_line(const std::string& file, std::uint64_t line, std::string_view sentence);

// Cuts the reader's line into fields. With a comma as separator, a field in quotes is read by RFC 4180, but
// must end on its line; other separators know no quotes. Throws what LineReader::refuse() throws.
void split_line(const LineReader& reader, char separator, std::vector<std::string>& fields);

}  // namespace alnus::io
