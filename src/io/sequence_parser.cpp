#include "io/sequence_parser.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "io/growing_array.h"

namespace alnus::io {

struct SequenceParser::Records {
  GrowingArray<Residue> residues;
  GrowingArray<char> headers;
  GrowingArray<char> qualities;                              // of FASTQ, if qualities are kept
  std::vector<std::uint64_t> offsets{0}, header_offsets{0};  // of the complete records

  std::uint64_t bytes() const {
    return residues.size() + headers.size() + qualities.size() +
           2 * sizeof(std::uint64_t) * (offsets.size() - 1);
  }
};

namespace {

// The class of a byte in a sequence: a residue, a residue with the flag kUnknown, or one of the other
// classes.
enum ByteClass : std::uint8_t { kUnknown = 0x40, kSkipped = 0x80, kGap, kInvalid };

constexpr std::size_t kMostRecords = std::numeric_limits<SequenceSet::Index>::max();

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }
bool is_line_end(char byte) { return byte == '\n' || byte == '\r'; }

// True for bytes that a header may have. NCBI's nr separates the titles of identical sequences by Control-A.
bool is_header_byte(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return (code >= ' ' && code != 0x7f) || byte == '\t' || byte == '\x01';
}

std::array<std::uint8_t, 256> classify(const Alphabet& alphabet) {
  std::array<std::uint8_t, 256> classes{};
  for (int code = 0; code < 256; ++code) {
    const char byte = static_cast<char>(code);
    if (alphabet.is_known(byte)) {
      classes[code] = alphabet.encode(byte);
    } else if (is_blank(byte) || byte == '\v' || byte == '\f' || (byte >= '0' && byte <= '9')) {
      classes[code] = kSkipped;
    } else if (byte == '-' || byte == '.') {
      classes[code] = kGap;
    } else {
      classes[code] = byte > ' ' && byte <= '~' ? kUnknown | alphabet.encode(byte) : kInvalid;
    }
  }
  return classes;
}

// The position of the first line feed or carriage return, or the text's size if there is none.
std::size_t find_line_end(std::string_view text) {
  constexpr std::size_t kWindow = 512;  // bounds how far the search for one byte runs beyond the other
  for (std::size_t begin = 0; begin < text.size(); begin += kWindow) {
    const char* window = text.data() + begin;
    std::size_t size = std::min(kWindow, text.size() - begin);
    const void* feed = std::memchr(window, '\n', size);
    if (feed != nullptr) size = static_cast<const char*>(feed) - window;
    const void* carriage = std::memchr(window, '\r', size);
    if (carriage != nullptr) return static_cast<const char*>(carriage) - text.data();
    if (feed != nullptr) return begin + size;
  }
  return text.size();
}

std::string describe(char byte) {
  if (byte == '\0') return "NUL byte";
  if (byte > ' ' && byte <= '~') return fmt::format("character {}", quoted({&byte, 1}));
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(byte));
}

}  // namespace

SequenceParser::SequenceParser(AlphabetKind alphabet, std::string file_name, EmptyLine empty_line,
                               Qualities qualities)
    : alphabet_(alphabet),
      file_name_(std::move(file_name)),
      classes_(classify(Alphabet::of(alphabet))),
      empty_line_(empty_line),
      qualities_(qualities),
      records_(std::make_unique<Records>()) {}

SequenceParser::~SequenceParser() = default;

std::size_t SequenceParser::feed(std::string_view bytes, std::uint64_t enough_bytes) {
  rest_ = bytes;
  if (std::exchange(after_return_, false) && rest_.starts_with('\n')) advance(1);
  while (!rest_.empty()) {
    switch (state_) {
      case State::before_header:
        if (has_records() && records_->bytes() >= enough_bytes) return bytes.size() - rest_.size();
        find_header();
        break;
      case State::header:
        read_header();
        break;
      case State::comment:
        skip_comment();
        break;
      case State::sequence:
        read_sequence();
        break;
      case State::plus:
        skip_plus_line();
        break;
      case State::quality:
        read_quality();
        break;
      case State::damaged:
        skip_damaged();
        break;
    }
  }
  return bytes.size();
}

void SequenceParser::finish() {
  finish_record();
  if (ended_ == 0) {
    throw Error(ErrorKind::input, fmt::format("{} holds no sequences (it has {} bytes). Give a file in FASTA "
                                              "or FASTQ format.",
                                              file_name_, offset_));
  }
}

void SequenceParser::finish_record() {
  rest_ = {};
  if (record_is_open_ && format_ == Format::fastq) {
    const bool is_complete = state_ == State::quality ? quality_size_ == open_residues()
                                                      : state_ == State::plus && open_residues() == 0;
    if (!is_complete) {
      const bool is_file = empty_line_ == EmptyLine::skipped;  // not a user who sends queries
      fail(fmt::format("the {} ends in the middle of a FASTQ record ({}). {}", is_file ? "file" : "input",
                       state_ == State::quality
                           ? fmt::format("{} letters, {} qualities", open_residues(), quality_size_)
                           : "without qualities",
                       is_file ? "It is truncated: copy or download it again." : "Complete the record."));
    }
  }
  if (record_is_open_) end_record();
}

std::size_t SequenceParser::skip_record() {
  records_->residues.cut(records_->offsets.back());
  records_->headers.cut(records_->header_offsets.back());
  records_->qualities.cut(std::min<std::size_t>(records_->qualities.size(), records_->offsets.back()));
  record_is_open_ = false;
  ++ended_;
  at_line_start_ &= state_ == State::sequence;  // a header that came too early is read as the next one
  state_ = State::damaged;
  return rest_.size();
}

bool SequenceParser::has_records() const { return records_->offsets.size() > 1; }

SequenceSet SequenceParser::take() { return as_set(take_records()); }

SequenceSet SequenceParser::take(Masking masking, ThreadPool& pool, const StopFlag& stop) {
  std::shared_ptr<Records> records = take_records();
  counts_.masked += mask(records->residues.span(), records->offsets, alphabet_, masking, pool, stop);
  return as_set(std::move(records));
}

std::shared_ptr<SequenceParser::Records> SequenceParser::take_records() {
  auto records = std::make_shared<Records>();
  std::swap(*records, *records_);
  records->residues.shrink_to_fit();
  records->headers.shrink_to_fit();
  records->qualities.shrink_to_fit();
  return records;
}

SequenceSet SequenceParser::as_set(std::shared_ptr<Records> records) const {
  const SequenceSet::Arrays arrays{
      records->residues.span(), records->offsets, records->headers.span(), records->header_offsets, {},
      records->qualities.span()};
  return SequenceSet(alphabet_, arrays, std::move(records), file_name_);
}

ReadCounts SequenceParser::take_counts() { return std::exchange(counts_, {}); }

std::span<const Residue> SequenceParser::residues() const { return records_->residues.span(); }

// Reads what is between records: blank lines, and at the beginning of the file comments and a byte order
// mark.
void SequenceParser::find_header() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const char byte = rest_.front();
  if (is_blank(byte) || is_line_end(byte) ||
      (offset_ < kByteOrderMark.size() && byte == kByteOrderMark[offset_])) {
    advance(1);
  } else if ((byte == '>' && format_ != Format::fastq) || (byte == '@' && format_ != Format::fasta)) {
    format_ = byte == '>' ? Format::fasta : Format::fastq;
    // In FASTQ every letter has a quality, so that no gap letter is removed.
    if (format_ == Format::fastq)
      classes_['-'] = classes_['.'] = kUnknown | Alphabet::of(alphabet_).encode('-');
    record_is_open_ = true;
    is_wrapped_ = false;
    quality_size_ = 0;
    state_ = State::header;
    advance(1);
  } else if (byte == ';' && format_ != Format::fastq) {
    state_ = State::comment;
  } else if (format_ == Format::unknown) {
    fail(
        fmt::format("the file begins with the {} and not with a header line ('>' in FASTA, '@' in FASTQ). "
                    "Give a sequence file.",
                    describe(byte)));
  } else {
    fail(fmt::format("the {} stands where the next header line should begin with {}.", describe(byte),
                     format_ == Format::fastq ? "'@'. Correct the qualities of the record before it"
                                              : "'>'. An empty line has ended the record before it"));
  }
}

void SequenceParser::read_header() {
  const std::size_t end = find_line_end(rest_);
  const auto invalid = std::find_if_not(rest_.begin(), rest_.begin() + end, is_header_byte);
  const auto valid = static_cast<std::size_t>(invalid - rest_.begin());
  std::string_view piece = rest_.substr(0, valid);
  if (open_header().empty()) piece.remove_prefix(std::min(piece.find_first_not_of(" \t"), piece.size()));
  piece.copy(records_->headers.room(piece.size()), piece.size());
  records_->headers.added(piece.size());
  if (valid < end) {
    fail(fmt::format("the header has a {}, which no text has. The file is damaged or no sequence file.",
                     describe(rest_[valid])),
         valid);
  }
  if (!end_line(end)) return;
  at_line_start_ = true;
  state_ = State::sequence;
}

void SequenceParser::skip_comment() {
  if (!end_line(find_line_end(rest_))) return;
  state_ = record_is_open_ ? State::sequence : State::before_header;
}

void SequenceParser::read_sequence() {
  if (at_line_start_) {
    const char byte = rest_.front();
    if (format_ == Format::fasta) {
      const bool is_empty_line = is_line_end(byte) && empty_line_ == EmptyLine::ends_record;
      if (byte == '>' || is_empty_line) return end_record();
      if (byte == ';') {
        state_ = State::comment;
        return;
      }
    } else {
      if (byte == '+') {
        state_ = State::plus;
        return;
      }
      if (byte == '@') {
        fail(
            "the next record begins before the line with '+' and the qualities of this one. Complete the "
            "record.");
      }
      is_wrapped_ |= open_residues() > 0 && !is_line_end(byte);
    }
  }
  const std::size_t end = find_line_end(rest_);
  encode_line(rest_.substr(0, end));
  at_line_start_ = end_line(end);
}

void SequenceParser::encode_line(std::string_view line) {
  if (open_residues() + line.size() > kLongestSequence)
    fail(fmt::format("the sequence is longer than {} letters. Split it.", kLongestSequence));
  const std::uint8_t* classes = classes_.data();
  Residue* to = records_->residues.room(line.size());
  std::uint8_t seen = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    to[i] = classes[static_cast<unsigned char>(line[i])];
    seen |= to[i];
  }
  if (seen >= kUnknown) return encode_odd_line(line);
  records_->residues.added(line.size());
}

// Encodes a line that has other bytes than the letters of the alphabet.
void SequenceParser::encode_odd_line(std::string_view line) {
  Residue* to = records_->residues.room(line.size());
  std::size_t size = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::uint8_t is = classes_[static_cast<unsigned char>(line[i])];
    if (is < kSkipped) {
      to[size++] = is & static_cast<std::uint8_t>(~kUnknown);
      counts_.unknown_bytes += is >= kUnknown;
    } else if (is == kGap) {
      ++counts_.gaps_removed;
    } else if (is == kInvalid) {
      fail(fmt::format("the sequence has a {}, which is no letter. The file is damaged or no sequence file.",
                       describe(line[i])),
           i);
    }
  }
  records_->residues.added(size);
}

void SequenceParser::skip_plus_line() {
  if (!end_line(find_line_end(rest_))) return;
  if (open_residues() == 0) return end_record();
  state_ = State::quality;
}

void SequenceParser::read_quality() {
  const std::size_t end = find_line_end(rest_);
  const std::string_view line = rest_.substr(0, end);
  const auto is_quality = [](char byte) { return byte > ' ' && byte <= '~'; };
  const auto count = static_cast<std::size_t>(std::count_if(line.begin(), line.end(), is_quality));
  if (count < line.size()) {
    const auto invalid = std::find_if_not(line.begin(), line.end(),
                                          [&](char byte) { return is_quality(byte) || is_blank(byte); });
    if (invalid != line.end()) {
      fail(fmt::format("the qualities have a {}; they are characters from '!' to '~'. The file is damaged.",
                       describe(*invalid)),
           static_cast<std::size_t>(invalid - line.begin()));
    }
  }
  if (qualities_ == Qualities::kept) {
    std::copy_if(line.begin(), line.end(), records_->qualities.room(count), is_quality);
    records_->qualities.added(count);
  }
  quality_size_ += count;
  // If a sequence has several lines, its qualities have several lines, too, of any length.
  const bool is_last = end < rest_.size() && (!is_wrapped_ || quality_size_ >= open_residues());
  if (is_last && quality_size_ != open_residues()) {
    fail(fmt::format("the sequence has {} letters and {} qualities. Correct the record.", open_residues(),
                     quality_size_),
         end);
  }
  end_line(end);
  if (is_last) end_record();
}

// Skips what follows an error, up to a line that may be a header.
void SequenceParser::skip_damaged() {
  const char byte = rest_.front();
  const bool is_boundary = (byte == '>' && format_ != Format::fastq) ||
                           (byte == '@' && format_ != Format::fasta) || is_line_end(byte);
  if (at_line_start_ && is_boundary)
    state_ = State::before_header;
  else
    at_line_start_ = end_line(find_line_end(rest_));
}

void SequenceParser::end_record() {
  Records& r = *records_;
  const std::size_t without_blanks = open_header().find_last_not_of(" \t") + 1;
  r.headers.cut(r.header_offsets.back() + without_blanks);
  if (r.offsets.size() > kMostRecords)
    fail(fmt::format("there are more than {} records. Split the file.", kMostRecords));
  ++ended_;
  ++counts_.records;
  counts_.residues += open_residues();
  counts_.empty_records += open_residues() == 0;
  counts_.unnamed_records += open_header().empty();
  r.offsets.push_back(r.residues.size());
  r.header_offsets.push_back(r.headers.size());
  record_is_open_ = false;
  state_ = State::before_header;
}

void SequenceParser::advance(std::size_t bytes) {
  rest_.remove_prefix(bytes);
  offset_ += bytes;
}

// Moves behind the line that ends at `at`. If the line is not complete, moves to the end of the bytes and
// returns false.
bool SequenceParser::end_line(std::size_t at) {
  const bool is_complete = at < rest_.size();
  const bool is_return = is_complete && rest_[at] == '\r';
  advance(at + is_complete);
  if (is_return && rest_.starts_with('\n')) {
    advance(1);
  } else {
    after_return_ = is_return && rest_.empty();
  }
  return is_complete;
}

std::uint64_t SequenceParser::open_residues() const {
  return records_->residues.size() - records_->offsets.back();
}

std::string_view SequenceParser::open_header() const {
  const std::span<const char> headers = records_->headers.span();
  return {headers.data() + records_->header_offsets.back(), headers.size() - records_->header_offsets.back()};
}

void SequenceParser::fail(const std::string& what, std::size_t at) const {
  const std::string_view header = record_is_open_ ? open_header() : std::string_view();
  const std::string_view id = header.substr(0, header.find_first_of(" \t"));
  throw Error(ErrorKind::input,
              fmt::format("{}, record {}{}, byte {}: {}", file_name_, ended_ + 1,
                          id.empty() ? "" : fmt::format(" ({})", quoted(id)), offset_ + at, what));
}

}  // namespace alnus::io
