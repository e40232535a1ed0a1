#include "io/record_stream.h"

#include "alnus/error.h"

namespace alnus::io {

RecordStream::RecordStream(const std::string& path, AlphabetKind alphabet, Masking masking)
    : masking_(masking),
      bytes_(open_stream(path)),
      buffer_(1 << 16),
      parser_(alphabet, display_name(path), EmptyLine::ends_record) {
  masking.check(alphabet, display_name(path));
}

SequenceSet RecordStream::next() {
  while (!ended_ && !parser_.has_records()) {
    if (rest_.empty()) {
      ended_ = true;  // also when reading fails
      rest_ = {buffer_.data(), bytes_->read(buffer_.data(), buffer_.size())};
      ended_ = rest_.empty();
    }
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
  SequenceSet record = parser_.take(masking_);
  counts_ = parser_.take_counts();
  return record;
}

}  // namespace alnus::io
