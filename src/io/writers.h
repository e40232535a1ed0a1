// What the writers share; the program at large sees writer.h only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "io/text.h"
#include "io/writer.h"

namespace alnus::io {

// Collects text and hands it to the output in large pieces.
class TextWriter : public Writer {
 public:
  explicit TextWriter(OutputFile& out) : out_(out) {}
  void flush() override {
    out_.write(view(text_));
    text_.clear();
  }
  void end() override { flush(); }

 protected:
  Text& text() { return text_; }
  void flush_when_full() {
    if (text_.size() >= kFull) flush();
  }

 private:
  static constexpr std::size_t kFull = 1 << 16;
  OutputFile& out_;
  Text text_;
};

// The counts that the row has, or else those of its CIGAR.
AlignmentCounts counts_of(const SequenceView& query, const SequenceView& subject, const Row& row,
                          const Scoring& scoring);

// "alnus 0.1.0"
std::string program_name(const ReportContext& context);

// What formats of BLAST name as the program: "BLASTP alnus-0.1.0", for DNA "BLASTN alnus-0.1.0".
std::string blast_program_name(const ReportContext& context);

// The paper of a mode's method, on one line.
std::string_view reference_of(Mode mode);

std::unique_ptr<Writer> make_tabular_writer(const OutputFormat& format, OutputFile& out);
std::unique_ptr<Writer> make_pairwise_writer(OutputFile& out);
std::unique_ptr<Writer> make_srspair_writer(OutputFile& out);
std::unique_ptr<Writer> make_sam_writer(OutputFile& out);
std::unique_ptr<Writer> make_jsonl_writer(OutputFile& out);
std::unique_ptr<Writer> make_blast_xml_writer(OutputFile& out);

}  // namespace alnus::io
