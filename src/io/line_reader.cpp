#include "io/line_reader.h"

#include <fmt/format.h>

#include "core/byte_order_mark.h"
#include "core/refuse_input.h"

namespace alnus::io {
namespace {

// Takes a field in quotes, which begins at `at`, and moves `at` behind it.
std::string take_quoted(const LineReader& reader, std::size_t& at) {
  const std::string_view line = reader.line();
  std::string field;
  for (++at;;) {
    const std::size_t quote = line.find('"', at);
    if (quote == line.npos)
      reader.refuse("a field begins with a quote (\") that is not closed on this line. Close it.");
    field += line.substr(at, quote - at);
    at = quote + 1;
    if (at == line.size() || line[at] != '"') return field;
    field += '"';
    ++at;
  }
}

}  // namespace

void refuse_line(const std::string& file, std::uint64_t line, std::string_view sentence) {
  refuse_input(fmt::format("{}, line {}: {}", file, line, sentence));
}

LineReader::LineReader(const Input& input, const StopFlag& stop)
    : name_(name_of(input)), stop_(stop), source_(open_bytes(input, nullptr, stop)) {}

bool LineReader::next() {
  for (std::size_t searched = at_;;) {
    const std::size_t end = buffer_.find('\n', searched);
    if (end != buffer_.npos) {
      line_ = std::string_view(buffer_).substr(at_, end - at_);
      at_ = end + 1;
      break;
    }
    if (buffer_.size() - at_ > kLongestLine) {
      ++number_;
      refuse(fmt::format("the line has more than {} bytes. Check that this is the file that you mean.",
                         kLongestLine));
    }
    searched = buffer_.size() - at_;
    if (fill()) continue;
    if (at_ == buffer_.size()) return false;
    line_ = std::string_view(buffer_).substr(at_);
    at_ = buffer_.size();
    break;
  }
  if (number_++ == 0) line_ = without_byte_order_mark(line_);
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  check_line();
  return true;
}

// Moves the unread bytes to the buffer's begin, and reads more behind them.
bool LineReader::fill() {
  constexpr std::size_t kPiece = 1 << 16;
  buffer_.erase(0, at_);
  at_ = 0;
  if (ended_) return false;
  const std::size_t size = buffer_.size();
  buffer_.resize(size + kPiece);
  const std::size_t count = source_->read(buffer_.data() + size, kPiece, stop_);
  buffer_.resize(size + count);
  ended_ = count < kPiece;
  return count > 0;
}

void LineReader::check_line() const {
  if (line_.size() > kLongestLine)
    refuse(fmt::format("the line has more than {} bytes. Check that this is the file that you mean.",
                       kLongestLine));
  if (line_.find('\0') != line_.npos)
    refuse("the line has a byte 0, so that this is no text. Check that this is the file that you mean.");
  if (line_.find('\r') != line_.npos)
    refuse("a line end is a CR alone, as in files of old Macs. Write the file with line ends of Unix (LF).");
}

void LineReader::refuse(std::string_view sentence) const { refuse_line(name_, number_, sentence); }

void split_line(const LineReader& reader, char separator, std::vector<std::string>& fields) {
  const std::string_view line = reader.line();
  fields.clear();
  for (std::size_t at = 0;;) {
    if (separator == ',' && at < line.size() && line[at] == '"') {
      fields.push_back(take_quoted(reader, at));
      if (at < line.size() && line[at] != separator)
        reader.refuse(
            "text follows the closing quote of a field. Double the quotes (\"\") within the field.");
    } else {
      const std::size_t end = std::min(line.find(separator, at), line.size());
      fields.emplace_back(line.substr(at, end - at));
      at = end;
    }
    if (at == line.size()) return;
    ++at;
  }
}

}  // namespace alnus::io
