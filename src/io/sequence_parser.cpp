#include "io/sequence_parser.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/utf8.h"
#include "io/growing_array.h"
#include "io/known_formats.h"

namespace alnus::io {

struct SequenceParser::Records {
  GrowingArray<Residue> residues;
  GrowingArray<char> headers;
  GrowingArray<char> qualities;                              // of FASTQ, if qualities are kept
  std::vector<std::uint64_t> offsets{0}, header_offsets{0};  // where complete records begin, and the end

  std::uint64_t bytes() const {
    return residues.size() + headers.size() + qualities.size() +
           2 * sizeof(std::uint64_t) * (offsets.size() - 1);
  }
};

namespace {

// The class of a byte in a sequence: the code of a residue, this code with the flag kUnknown (the byte is
// read as X or N, because the alphabet lacks it), or one of the other classes.
enum ByteClass : std::uint8_t { kUnknown = 0x40, kSkipped = 0x80, kDigit, kGap, kMarker, kInvalid };

constexpr std::size_t kTypedBytes = 3;  // the most bytes that describe_refused() looks at
constexpr std::size_t kMostRecords = std::numeric_limits<SequenceSet::Index>::max();

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }
bool is_line_end(char byte) { return byte == '\n' || byte == '\r'; }

// True for bytes that a header may have. NCBI's nr separates the titles of identical sequences by Control-A.
bool is_header_byte(char byte) {
  const auto code = static_cast<unsigned char>(byte);
  return (code >= ' ' && code != 0x7f) || byte == '\t' || byte == '\x01';
}

std::uint8_t class_of(char byte, const Alphabet& alphabet) {
  switch (kind_of(byte)) {
    case ByteKind::residue:
    case ByteKind::sign:
      return alphabet.encode(byte) | (alphabet.is_known(byte) ? 0 : kUnknown);
    case ByteKind::digit:
      return kDigit;
    case ByteKind::blank:
      return kSkipped;
    case ByteKind::gap:
      return kGap;
    case ByteKind::marker:
      return kMarker;
    case ByteKind::quote:
    case ByteKind::invalid:
      break;
  }
  return kInvalid;
}

std::array<std::uint8_t, 256> classify(const Alphabet& alphabet) {
  std::array<std::uint8_t, 256> classes{};
  for (int code = 0; code < 256; ++code) classes[code] = class_of(static_cast<char>(code), alphabet);
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
  if (byte > ' ' && byte <= '~') return fmt::format("character {}", in_quotes({&byte, 1}));
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(byte));
}

// The text behind the last comma or semicolon of a header; empty if it has none.
std::string_view behind_separator(std::string_view header) {
  const std::size_t last = header.find_last_of(",;");
  return last == header.npos ? std::string_view() : header.substr(last + 1);
}

// The flags of a byte in SequenceParser::marks_: kForeign if is_foreign() is true of it (a letter of proteins
// in DNA), kSign if it is a ByteKind::sign.
constexpr std::uint8_t kForeign = 1, kSign = 2;

std::array<std::uint8_t, 256> marks_of(AlphabetKind alphabet) {
  std::array<std::uint8_t, 256> marks{};
  for (int code = 0; code < 256; ++code) {
    const char byte = static_cast<char>(code);
    if (is_foreign(byte, alphabet)) marks[code] |= kForeign;
    if (kind_of(byte) == ByteKind::sign) marks[code] |= kSign;
  }
  return marks;
}

}  // namespace

SequenceParser::SequenceParser(AlphabetKind alphabet, std::string file_name, EmptyLine empty_line,
                               Qualities qualities)
    : alphabet_(alphabet),
      file_name_(std::move(file_name)),
      classes_(classify(Alphabet::of(alphabet))),
      marks_(marks_of(alphabet)),
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
      case State::other_format:
        read_other_format();
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
      case State::refused:
        read_refused();
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
  check_foreign(letters(), file_name_);
  if (ended_ == 0) {
    throw Error(ErrorKind::input, fmt::format("{} holds no sequences (it has {}). Give a file in FASTA "
                                              "or FASTQ format.",
                                              file_name_, format_count(offset_, "byte", "bytes")));
  }
  // A file of records that all have an id and no residues is accepted: a program may have made it of no
  // sequences. It is refused if a header has more than an id, which may be a sequence on the wrong line.
  if (ended_ == counts_.empty_records && empty_has_title_) fail_as_empty();
}

void SequenceParser::fail_as_empty() const {
  const std::string records =
      ended_ == 1 ? "the only record" : fmt::format("all {} records", format_count(ended_));
  throw Error(
      ErrorKind::input,
      fmt::format(
          "{} holds no sequences: {} {} a header and no letters.{}", file_name_, records,
          ended_ == 1 ? "has" : "have",
          format_ == Format::fasta ? " Letters stand on the lines below the header, not on its line." : ""));
}

void SequenceParser::finish_record() {
  rest_ = {};
  if (state_ == State::other_format) fail_as_other_format();
  if (state_ == State::refused) fail_as_refused();
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
  if (!record_is_open_) return;
  check_record();
  end_record();
}

std::size_t SequenceParser::skip_record() {
  records_->residues.cut(records_->offsets.back());
  records_->headers.cut(records_->header_offsets.back());
  records_->qualities.cut(std::min<std::size_t>(records_->qualities.size(), records_->offsets.back()));
  record_is_open_ = false;
  ++ended_;
  odd_line_ = {};
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

ReadCounts SequenceParser::take_counts() {
  foreign_letters_ = 0;
  notes_ = {};
  return std::exchange(counts_, {});
}

std::uint64_t SequenceParser::alignment_columns() const {
  return is_alignment_ && ended_ > 1 && counts_.gaps_removed > 0 ? columns_ : 0;
}

std::span<const Residue> SequenceParser::residues() const { return records_->residues.span(); }

// Reads what is between records: blank lines, and at the beginning of the file comments and a byte order
// mark.
void SequenceParser::find_header() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const char byte = rest_.front();
  if (is_line_end(byte)) {
    end_line(0);
  } else if (is_blank(byte) || (offset_ < kByteOrderMark.size() && byte == kByteOrderMark[offset_])) {
    advance(1);
  } else if ((byte == '>' && format_ != Format::fastq) || (byte == '@' && format_ != Format::fasta)) {
    begin_record();
    advance(1);
  } else if (byte == ';' && format_ != Format::fastq) {
    state_ = State::comment;
  } else if (format_ == Format::unknown) {
    told_.clear();
    told_place_ = place();
    state_ = State::other_format;
  } else {
    const std::string here =
        fmt::format("the {} stands where the next header line should begin with ", describe(byte));
    if (kind_of(byte) == ByteKind::marker)
      fail(here + (format_ == Format::fastq ? "'@': FASTA follows FASTQ. Give them as two files."
                                            : "'>': FASTQ follows FASTA. Give them as two files."));
    fail(here + (format_ == Format::fastq ? "'@'. Correct the qualities of the record before it."
                                          : "'>'. An empty line has ended the record before it."));
  }
}

// Reads so much of a file's first line as tells what the file is, and then fails.
void SequenceParser::read_other_format() {
  const std::size_t end = find_line_end(rest_);
  const std::size_t more = std::min(end, kTellingBytes - told_.size());
  told_ += rest_.substr(0, more);
  advance(more);
  if (end < rest_.size() + more || told_.size() == kTellingBytes) fail_as_other_format();
}

void SequenceParser::fail_as_other_format() const {
  const std::string known = known_format(told_);
  fail(known.empty()
           ? fmt::format("the file begins with the {} and not with a header line ('>' in FASTA, '@' in "
                         "FASTQ). {}",
                         describe(told_.front()),
                         is_bare_sequence(told_)
                             ? "Put a line before each sequence that begins with '>' and has its name."
                             : "Give a sequence file.")
           : known,
       told_place_);
}

void SequenceParser::begin_record() {
  format_ = rest_.front() == '>' ? Format::fasta : Format::fastq;
  // In FASTQ every letter has a quality, so that no gap letter is removed.
  if (format_ == Format::fastq)
    classes_['-'] = classes_['.'] = kUnknown | Alphabet::of(alphabet_).encode('-');
  record_is_open_ = true;
  is_wrapped_ = is_indented_ = is_not_ascii_ = has_digit_in_word_ = has_uneven_words_ = false;
  quality_size_ = open_gaps_ = open_unknown_ = 0;
  open_ = {};
  text_line_.reset();
  state_ = State::header;
}

void SequenceParser::read_header() {
  const std::size_t end = find_line_end(rest_);
  std::uint8_t bits = 0, controls = 0;
  for (const char byte : rest_.substr(0, end)) {
    const auto code = static_cast<unsigned char>(byte);
    bits |= code;
    controls |= code < ' ' || code == 0x7f;
  }
  is_not_ascii_ |= bits >= 0x80;
  std::size_t valid = end;
  if (controls != 0)
    valid = std::find_if_not(rest_.begin(), rest_.begin() + end, is_header_byte) - rest_.begin();
  std::string_view piece = rest_.substr(0, valid);
  if (open_header().empty()) piece.remove_prefix(std::min(piece.find_first_not_of(" \t"), piece.size()));
  piece.copy(records_->headers.room(piece.size()), piece.size());
  records_->headers.added(piece.size());
  if (valid < end) {
    fail(fmt::format("the header has a {}, which no text has. The file is damaged or no sequence file.",
                     describe(rest_[valid])),
         valid);
  }
  if (end == rest_.size()) return advance(end);
  if (ended_ == 0) {
    const std::string known = known_format_of_header(format_ == Format::fasta ? '>' : '@', open_header());
    if (!known.empty()) fail(known, end);
  }
  end_line(end);
  at_line_start_ = true;
  state_ = State::sequence;
}

void SequenceParser::skip_comment() {
  if (!end_line(find_line_end(rest_))) return;
  is_indented_ = false;
  state_ = record_is_open_ ? State::sequence : State::before_header;
}

void SequenceParser::read_sequence() {
  if (at_line_start_) {
    const char byte = rest_.front();
    const bool begins_by_letter = classes_[static_cast<unsigned char>(byte)] < kUnknown;
    if (!begins_by_letter && begin_line(byte)) return;
    if (format_ == Format::fastq) is_wrapped_ |= open_residues() > 0 && !is_line_end(byte);
    odd_line_.word_begin = open_cells();
  } else if (const char cut[] = {cut_after_, rest_.front()}; has_digit_in_word({cut, 2})) {
    odd_line_.is_odd = odd_line_.has_digit_in_word = true;
  }
  const std::size_t end = find_line_end(rest_);
  encode_line(rest_.substr(0, end));
  if (end == rest_.size())
    cut_after_ = rest_.back();
  else if (odd_line_.is_odd)
    end_odd_line();
  at_line_start_ = end_line(end);
  is_indented_ = false;
}

// Looks at the first byte of a line of a sequence, or of what follows its leading blanks. Returns false if
// the line is to be read as letters, and true if it is another line or if blanks were skipped.
bool SequenceParser::begin_line(char byte) {
  if (is_blank(byte)) {
    skip_indentation();
    return true;
  }
  if (format_ == Format::fasta) {
    if (byte == '>' || (is_line_end(byte) && empty_line_ == EmptyLine::ends_record && !is_indented_)) {
      check_record();
      end_record();
      return true;
    }
    if (byte == ';') {
      state_ = State::comment;
      return true;
    }
    if (byte == '@' || byte == '+')
      fail(fmt::format(
          "a line of this FASTA record begins with {}, as a line of FASTQ does. Give FASTA and FASTQ "
          "as two files, or convert the whole file.",
          in_quotes({&byte, 1})));
    return false;
  }
  if (byte == '+') {
    check_record();
    state_ = State::plus;
    return true;
  }
  if (byte == '@')
    fail(
        "the next record begins before the line with '+' and the qualities of this one. Complete the "
        "record.");
  return false;
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

// Encodes a line, or a piece of a line, in which some byte is no letter of the alphabet: a letter that is
// read as X or N, a sign, a digit, a blank, a gap, or a byte at which the parser fails. encode_line() does
// all other lines, in a faster loop.
void SequenceParser::encode_odd_line(std::string_view line) {
  Residue* to = records_->residues.room(line.size());
  std::size_t size = 0;
  const std::uint64_t digits_before = open_.digits;
  odd_line_.is_odd = true;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    const std::uint8_t is = classes_[byte];
    if (is < kSkipped) {  // no branch tells the letters apart: masked DNA has as many X as bases
      to[size++] = is & static_cast<std::uint8_t>(~kUnknown);
      open_unknown_ += is >= kUnknown;
      open_.foreign += marks_[byte] & kForeign;
      if ((marks_[byte] & kSign) != 0) [[unlikely]] {
        note_odd_byte(i);
        ++open_.signs;
        odd_line_.add_sign(line[i], place(i));
      }
    } else if (is == kDigit) {
      note_odd_byte(i);
      ++open_.digits;
    } else if (is == kGap) {
      ++counts_.gaps_removed;
      ++open_gaps_;
    } else if (is == kMarker) {
      fail_at_marker(line[i], i);
    } else if (is == kInvalid) {
      return refuse(line.substr(i), i);
    } else {
      odd_line_.end_word(open_cells() + size);
    }
  }
  records_->residues.added(size);
  if (open_.digits > digits_before) odd_line_.has_digit_in_word |= has_digit_in_word(line);
}

// Fails at bytes of a line that no sequence has, or keeps what was fed of them if they go on in the next
// piece.
void SequenceParser::refuse(std::string_view bytes, std::size_t at) {
  told_ = bytes.substr(0, kTypedBytes);
  told_place_ = place(at);
  const bool is_ascii = static_cast<unsigned char>(told_.front()) < 0x80;  // its other bytes tell nothing
  const bool is_cut = told_.size() < kTypedBytes && at + bytes.size() == rest_.size();
  if (is_ascii || !is_cut) fail_as_refused();
  state_ = State::refused;
}

void SequenceParser::read_refused() {
  const std::size_t more = std::min(find_line_end(rest_), kTypedBytes - told_.size());
  const bool is_cut = more == rest_.size() && told_.size() + more < kTypedBytes;
  told_ += rest_.substr(0, more);
  advance(more);
  if (!is_cut) fail_as_refused();
}

void SequenceParser::fail_as_refused() const {
  fail(fmt::format("the sequence has {}.", describe_refused(told_)), told_place_);
}

// Decides whether the line that ends here is text, such as a header that has lost its '>'. A sign alone may
// be a slip, and so may be a digit; blanks may separate blocks of a sequence, which are equally long but for
// the last one.
void SequenceParser::end_odd_line() {
  odd_line_.end_word(open_cells());
  odd_line_.is_uneven |= odd_line_.last_word > odd_line_.first_word;
  const std::uint64_t bars = odd_line_.bars, underscores = odd_line_.underscores;
  const bool is_text = (odd_line_.signs > 0 && odd_line_.is_uneven) ||
                       (bars + underscores > 0 && odd_line_.has_digit_in_word) ||
                       (bars > 0 && (bars + underscores > 1 || odd_line_.has_words));
  if (format_ == Format::fasta) {
    if (is_text && !text_line_) text_line_ = TextLine{odd_line_.first_sign, odd_line_.first_place};
    has_uneven_words_ |= odd_line_.is_uneven;
  }
  has_digit_in_word_ |= odd_line_.has_digit_in_word;
  odd_line_ = {};
}

void SequenceParser::OddLine::add_sign(char sign, LineAndByte place) {
  if (sign == '~') return;
  if (signs++ == 0) first_sign = sign, first_place = place;
  bars += sign == '|' || sign == '=';
  underscores += sign == '_';
}

void SequenceParser::OddLine::end_word(std::uint64_t cells) {
  const std::uint64_t length = cells - std::exchange(word_begin, cells);
  if (length == 0) return;
  if (first_word == 0)
    first_word = length;
  else
    has_words = true, is_uneven |= last_word != first_word;
  last_word = length;
}

// Keeps the place of the first sign or digit of the open record.
void SequenceParser::note_odd_byte(std::size_t at) {
  if (open_.signs == 0 && open_.digits == 0) first_odd_ = place(at);
}

void SequenceParser::fail_at_marker(char marker, std::size_t at) const {
  const std::string name = in_quotes({&marker, 1});
  if (at == 0 && at_line_start_)
    fail(fmt::format(
        "a line of this FASTQ record begins with {}, as a record of FASTA does. Give FASTA and FASTQ "
        "as two files.",
        name));
  fail(fmt::format(
           "the sequence has a {}, with which the next record may begin. Let it begin on a line of its own: "
           "files that are joined need a line end between them.",
           name),
       at);
}

// Fails if the open record is no sequence.
void SequenceParser::check_record() {
  if (odd_line_.is_odd) end_odd_line();
  if (open_.signs == 0 && open_.digits == 0) return;
  LetterCounts record = open_;
  record.residues = open_residues();
  const std::string wrong = wrong_record(record);
  if (!wrong.empty()) fail(wrong, first_odd_);
  if (text_line_) {
    fail(fmt::format(
             "the line with this {} looks like text, and its letters would be taken for a sequence. If "
             "it is a header that has lost its '>', put the '>' before it; else correct the line.",
             describe(text_line_->sign)),
         text_line_->place);
  }
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
    fail(fmt::format(
             "the sequence has {} letters and {} qualities. Correct the record{}.", open_residues(),
             quality_size_,
             quality_size_ > open_residues() ? "; files that are joined need a line end between them" : ""),
         end);
  }
  end_line(end);
  if (is_last) end_record();
}

// Skips what follows an error, up to a line that may be a header.
void SequenceParser::skip_damaged() {
  const char byte = rest_.front();
  if (at_line_start_ && is_blank(byte)) return skip_indentation();
  const bool is_boundary = (byte == '>' && format_ != Format::fastq) ||
                           (byte == '@' && format_ != Format::fasta) || (is_line_end(byte) && !is_indented_);
  if (at_line_start_ && is_boundary) {
    state_ = State::before_header;
  } else {
    at_line_start_ = end_line(find_line_end(rest_));
    is_indented_ = false;
  }
}

// Skips blanks at the beginning of a line.
void SequenceParser::skip_indentation() {
  advance(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  is_indented_ = true;
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
  counts_.unknown_bytes += open_unknown_;
  note_record();
  foreign_letters_ += open_.foreign;
  const std::uint64_t columns = open_residues() + open_gaps_;
  if (ended_ == 1) columns_ = columns;
  is_alignment_ &= columns == columns_;
  r.offsets.push_back(r.residues.size());
  r.header_offsets.push_back(r.headers.size());
  record_is_open_ = false;
  state_ = State::before_header;
}

// Counts and notes what is odd in the open record, which is complete.
void SequenceParser::note_record() {
  const std::string_view header = open_header();
  const std::span<const Residue> residues = std::as_const(*records_).residues.span();
  const auto note = [&](NotedRecords RecordNotes::*of) {
    (notes_.*of).add(ended_, header.substr(0, header.find_first_of(" \t")));
  };
  counts_.empty_records += open_residues() == 0;
  counts_.unnamed_records += header.empty();
  if (open_unknown_ > 0) note(&RecordNotes::unknown);
  if (open_gaps_ > 0) note(&RecordNotes::gaps);
  if (has_digit_in_word_) note(&RecordNotes::digits);
  if (has_uneven_words_) note(&RecordNotes::words);
  if (open_residues() == 0) {
    note(&RecordNotes::empty);
    // The header may hold the sequence: it has several words, or only letters behind its last comma or
    // semicolon. This is not looked for in FASTQ, nor in a record with gaps, whose sequence was removed.
    empty_has_title_ |=
        format_ == Format::fasta && open_gaps_ == 0 &&
        (header.find_first_of(" \t") != header.npos || is_bare_sequence(behind_separator(header)));
  }
  if (header.empty()) note(&RecordNotes::unnamed);
  if (are_of_proteins({.residues = open_residues(), .foreign = open_.foreign})) note(&RecordNotes::proteins);
  if (is_not_ascii_ && !is_utf8(header)) note(&RecordNotes::not_utf8);
  if (alphabet_ != AlphabetKind::protein) return;
  const std::span<const Residue> record = residues.subspan(records_->offsets.back());
  if (look_like_nucleotides(record)) note(&RecordNotes::nucleotides);
  if (look_like_three_letter_code(record)) note(&RecordNotes::three_letter);
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
  line_ += is_complete;
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

void SequenceParser::fail(const std::string& what, LineAndByte place) const {
  const std::string_view header = record_is_open_ ? open_header() : std::string_view();
  const std::string_view id = header.substr(0, header.find_first_of(" \t"));
  throw Error(ErrorKind::input, fmt::format("{}, record {}{}, line {}, byte {}: {}", file_name_, ended_ + 1,
                                            id.empty() ? "" : fmt::format(" ({})", in_quotes(id)), place.line,
                                            place.byte, what));
}

}  // namespace alnus::io
