// The rows of a result in one format, formatted on all threads and written in their order.
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
  // Writes answers in their order; they are numbered from 0 over all calls. More than one piece of text
  // (about 128 KiB) is formatted by as many threads of the output's pool as there are permits for. The output
  // has all of the text when this returns. After an exception the report is of no use.
  void write(std::span<const Answer> answers);
  void end(std::uint64_t answers);

  bool marks_primary() const { return writers_.front()->marks_primary(); }
  // So many rows are worth one call of write(): enough for all threads.
  std::size_t worthwhile_rows() const;

 private:
  // A row of an answer; the place behind the last row of an answer is row 0 of the next one.
  struct Place {
    std::size_t answer = 0, row = 0;
    bool operator==(const Place&) const = default;
  };
  class OrderedWriting;

  Place piece_end(std::span<const Answer> answers, Place begin) const;
  std::size_t weight(const Answer& answer, std::size_t row) const;
  void format(std::span<const Answer> answers, Place begin, Place end, Writer& writer) const;
  void hand_over(Writer& writer);

  const ReportContext context_;
  OutputFile& out_;
  const bool shows_letters_;
  std::vector<std::unique_ptr<Writer>> writers_;  // one for each piece that is formatted at the same time
};

}  // namespace alnus::io
