#include "io/record_stream.h"

#include <fmt/format.h>

#include "alnus/error.h"
#include "alnus/letters.h"
#include "alnus/text.h"
#include "io/decompressor.h"

namespace alnus::io {

RecordStream::RecordStream(const std::string& path, AlphabetKind alphabet, Masking masking, ThreadPool& pool,
                           Qualities qualities)
    : name_(display_name(path)),
      masking_(masking),
      pool_(pool),
      bytes_(open_stream(path, &pool)),
      buffer_(1 << 16),
      parser_(alphabet, name_, EmptyLine::ends_record, qualities) {
  masking.check(alphabet, name_);
}

SequenceSet RecordStream::next(const StopFlag& stop) {
  const ThreadPool::Permit permit(pool_, stop);
  while (!ended_ && !parser_.has_records()) {
    if (rest_.empty()) read(stop);
    try {
      if (ended_)
        parser_.finish_record();
      else
        rest_.remove_prefix(parser_.feed(rest_, 1));
    } catch (const Error&) {
      rest_.remove_prefix(rest_.size() - parser_.skip_record());
      parser_.take_counts();
      throw;
    }
  }
  resembles_dna_ = io::resembles_dna(parser_.residues(), parser_.alphabet());
  const LetterCounts letters = parser_.letters();
  SequenceSet record = parser_.take(masking_, pool_, StopFlag::never());
  counts_ = parser_.take_counts();
  if (!record.empty())
    check_foreign(letters, fmt::format("{}, record {} ({})", name_, number(), in_quotes(record[0].id())));
  return record;
}

void RecordStream::read(const StopFlag& stop) {
  ended_ = failed_ = true;  // both stay true if reading fails
  std::string_view bytes;
  try {
    bytes = {buffer_.data(), bytes_->read(buffer_.data(), buffer_.size(), stop)};
  } catch (const Interrupted&) {
    ended_ = failed_ = false;
    throw;
  }
  const std::string_view program = begun_ ? std::string_view() : compressed_by(bytes);
  if (!program.empty())
    throw Error(ErrorKind::input,
                fmt::format("{} is compressed by {}; queries that come one by one are plain text. "
                            "Decompress it first, as zcat and zstdcat do.",
                            name_, program));
  const std::string_view encoding = begun_ ? std::string_view() : wide_encoding(bytes);
  if (!encoding.empty())
    throw Error(ErrorKind::input,
                fmt::format("{} is text in {}; alnus reads ASCII and UTF-8.", name_, encoding));
  begun_ = true;
  rest_ = bytes;
  ended_ = bytes.empty();
  failed_ = false;
}

}  // namespace alnus::io
