// Writes the rows of a result in one format; they are formatted on all threads and written in order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "io/output_file.h"
#include "io/writer.h"

namespace alnus::io {

class Report {
 public:
  // Throws what check_format() throws.
  Report(const OutputFormat& format, ReportContext context, OutputFile& out);

  void begin();
  // Writes answers in order; they are numbered from 0 over all calls. If the answers have more than one piece
  // of text (about 128 KiB), as many threads of the output's pool format them as there are permits for. When
  // write() returns, the output has all of the text. After an exception the report cannot be used any more.
  void write(std::span<const Answer> answers);
  void end(std::uint64_t answers);

  bool marks_primary() const { return writers_.front()->marks_primary(); }
  // The number of rows that make one call of write() worthwhile: enough for all threads.
  std::size_t worthwhile_rows() const;

 private:
  // The place of a row: which answer (what is written for a query) it belongs to, and which row of the answer
  // it is. The place behind an answer's last row is row 0 of the next answer. Row 0 of an answer without rows
  // is the place of the answer itself, which has text, too.
  struct Cursor {
    std::size_t answer = 0, row = 0;
    bool operator==(const Cursor&) const = default;
  };
  class OrderedWriting;

  Cursor piece_end(std::span<const Answer> answers, Cursor begin) const;
  std::size_t weight(const Answer& answer, std::size_t row) const;
  void format(std::span<const Answer> answers, Cursor begin, Cursor end, Writer& writer) const;
  void hand_over(Writer& writer);

  const ReportContext context_;
  OutputFile& out_;
  const bool shows_letters_;
  std::vector<std::unique_ptr<Writer>> writers_;  // one for each piece that is formatted at the same time
};

}  // namespace alnus::io
