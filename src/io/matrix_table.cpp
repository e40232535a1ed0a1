#include "io/matrix_table.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

#include "alnus/matrix_table.h"
#include "io/file_state.h"
#include "io/output_name.h"

namespace alnus {

bool is_matrix_table(std::string_view path) {
  return io::is_csv(path) || io::has_ending(path, ".tsv") || io::has_ending(path, ".tsv.gz") ||
         io::has_ending(path, ".tsv.zst");
}

bool has_diagonal(const PairFiles& files) {
  return files.square || is_matrix_table(files.matrix) ||
         std::ranges::any_of(files.matrices, [](const auto& one) { return is_matrix_table(one.second); });
}

namespace io {
namespace {

constexpr std::uint64_t kPieceValues = 1 << 15;  // values that a thread formats at a time
constexpr std::size_t kReadBytes = 1 << 20;
constexpr std::size_t kLongestNumber = 64;  // characters; a float32 without an exponent has up to 54

void append_float(Text& text, float value) {
  append_by(text, kLongestNumber, [value](char* begin) {
    return std::to_chars(begin, begin + kLongestNumber, value, std::chars_format::fixed).ptr;
  });
}

}  // namespace

TableForm::TableForm(std::string_view path) : csv_(is_csv(path)) {}

void TableForm::append_label(Text& text, std::string_view id) const {
  const std::size_t begin = text.size();
  append_or_na(text, id);
  if (csv_)
    quote_for_csv(text, begin);
  else
    replace_separators(text, begin);
}

void TableForm::append_head(Text& text, const SequenceSet& columns) const {
  for (SequenceSet::Index i = 0; i < columns.size(); ++i) {
    append(text, separator());
    append_label(text, columns[i].id());
  }
  append(text, '\n');
}

MatrixTableWriter::MatrixTableWriter(OutputFile& out, MatrixType type, const SequenceSet& rows,
                                     const SequenceSet& columns)
    : out_(out),
      form_(out.path()),
      type_(type),
      rows_(rows),
      columns_(columns),
      pieces_(2 * static_cast<std::size_t>(out.threads().threads())) {}

void MatrixTableWriter::begin() {
  Text text;
  form_.append_head(text, columns_);
  out_.write(view(text));
}

void MatrixTableWriter::write(const ValueStripe& stripe) {
  write_rows(
      stripe.rows,
      [&](SequenceSet::Index row, std::span<std::uint32_t> values) {
        std::ranges::transform(stripe.row(row), values.begin(),
                               [this](double value) { return bits_of(value, type_); });
      },
      StopFlag::never());
}

void MatrixTableWriter::write_square(const MatrixFile& values, const StopFlag& stop) {
  write_rows(
      {0, rows_.size()},
      [&](SequenceSet::Index row, std::span<std::uint32_t> to) { values.read_row(row, to); }, stop);
}

void MatrixTableWriter::write_rows(IndexRange rows, const TakeRow& take, const StopFlag& stop) {
  using Index = SequenceSet::Index;
  const std::uint64_t width = columns_.size();
  const auto rows_at_once =
      static_cast<Index>(std::max<std::uint64_t>(1, kPieceValues / std::max<std::uint64_t>(1, width)));
  for (Index begin = rows.begin; begin < rows.end;) {
    stop.throw_if_requested();
    const Index left = rows.end - begin;
    const std::size_t pieces =
        std::min<std::size_t>(pieces_.size(), left / rows_at_once + (left % rows_at_once > 0 ? 1 : 0));
    const auto format = [&](std::size_t piece) {
      Text& text = pieces_[piece];
      text.clear();
      std::vector<std::uint32_t> values(width);
      const std::uint64_t first = begin + std::uint64_t{piece} * rows_at_once;
      const std::uint64_t end = std::min<std::uint64_t>(rows.end, first + rows_at_once);
      for (std::uint64_t row = first; row < end; ++row) {
        take(static_cast<Index>(row), values);
        append_row(text, static_cast<Index>(row), values);
      }
    };
    {
      const ThreadPool::Permit permit(out_.threads());
      out_.threads().for_each(pieces, format);
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) out_.write(view(pieces_[piece]));
    begin =
        static_cast<Index>(std::min<std::uint64_t>(rows.end, begin + std::uint64_t{pieces} * rows_at_once));
  }
}

void MatrixTableWriter::append_row(Text& text, SequenceSet::Index row,
                                   std::span<const std::uint32_t> values) const {
  form_.append_label(text, rows_[row].id());
  for (const std::uint32_t bits : values) {
    append(text, form_.separator());
    if (type_ == MatrixType::float32)
      append_float(text, std::bit_cast<float>(bits));
    else
      append(text, std::bit_cast<std::int32_t>(bits));
  }
  append(text, '\n');
}

MatrixTableReader::MatrixTableReader(const std::string& path, MatrixType type, const SequenceSet& sequences,
                                     const StopFlag& stop)
    : path_(path),
      form_(path),
      type_(type),
      sequences_(sequences),
      stop_(stop),
      source_(open_bytes(path, nullptr, stop)) {
  Text head;
  form_.append_head(head, sequences);
  skip(view(head));
}

std::vector<double> MatrixTableReader::read(std::uint64_t begin, std::uint64_t end) {
  std::vector<double> stripe((end - begin) * end);
  const char separator = form_.separator();
  for (std::uint64_t row = begin; row < end; ++row) {
    Text label;
    form_.append_label(label, sequences_[static_cast<SequenceSet::Index>(row)].id());
    skip(view(label));
    for (std::uint64_t column = 0; column < sequences_.size(); ++column) {
      skip({&separator, 1});
      const double value = number();
      if (column <= row) stripe[(row - begin) * end + column] = value;
    }
    skip("\n");
  }
  return stripe;
}

bool MatrixTableReader::fill(std::size_t bytes) {
  while (buffer_.size() - at_ < bytes) {
    stop_.throw_if_requested();
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    const std::size_t found = source_->read(buffer_.data() + before, kReadBytes, stop_);
    buffer_.resize(before + found);
    if (found == 0) return false;
  }
  return true;
}

void MatrixTableReader::skip(std::string_view text) {
  if (!fill(text.size()) || std::string_view(buffer_).substr(at_, text.size()) != text) refuse();
  at_ += text.size();
}

double MatrixTableReader::number() {
  fill(kLongestNumber);  // fewer bytes remain at the end of the file
  const char *begin = buffer_.data() + at_, *end = buffer_.data() + buffer_.size();
  float value = 0;
  std::int32_t whole = 0;
  const std::from_chars_result result = type_ == MatrixType::float32
                                            ? std::from_chars(begin, end, value, std::chars_format::fixed)
                                            : std::from_chars(begin, end, whole);
  if (result.ec != std::errc()) refuse();
  at_ += static_cast<std::size_t>(result.ptr - begin);
  return type_ == MatrixType::float32 ? static_cast<double>(value) : static_cast<double>(whole);
}

void MatrixTableReader::refuse() const { refuse_contents(path_, "it is not the table of these sequences"); }

}  // namespace io
}  // namespace alnus
