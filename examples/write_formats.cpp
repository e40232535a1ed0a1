// Writes the hits of one search in three formats at once: a table on standard output, SAM, and compressed
// JSON lines. A file appears under its name when it is complete.
//
//   $ write_formats data/queries.fasta data/proteins.fasta hits.sam hits.jsonl.gz
//   sp|P69905|HBA_HUMAN sp|P68871|HBB_HUMAN 42.069 8.23e-37
//   sp|P69905|HBA_HUMAN sp|P02135|HBB_LITCT 32.143 5.54e-22
//   sp|P01111|RASN_HUMAN tr|A0A0A6IPL0|A0A0A6IPL0_CANAX 67.647 9.35e-74
//   sp|P01111|RASN_HUMAN tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 67.647 9.63e-74
//   sp|P14942|GSTA4_RAT tr|A8WV37|A8WV37_CAEBR 29.146 9.38e-23
//   sp|P14942|GSTA4_RAT tr|Q8I9R9|Q8I9R9_SARSC 29.126 7.00e-19
#include <alnus/alnus.h>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Output {
  alnus::OutputFile file;
  alnus::RowWriter rows;

  Output(alnus::Session& session, const std::string& path, const std::string& format,
         const alnus::Scoring& scoring, const alnus::Session::Inputs& inputs)
      : file(session, path),
        rows(file, alnus::OutputFormat::parse(format), scoring, inputs.first, inputs.second,
             {.program_version = "1.0", .database_name = inputs.second.name()}) {}
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 5) {
    std::cerr << "Usage: write_formats QUERIES DATABASE OUT.sam OUT.jsonl.gz\n";
    return 1;
  }
  alnus::Session session;
  const alnus::Session::Inputs inputs = session.open_search(argv[1], argv[2]);
  const alnus::Scoring scoring = alnus::make_scoring({});

  std::vector<std::unique_ptr<Output>> outputs;
  const auto add = [&](const std::string& path, const std::string& format) {
    outputs.push_back(std::make_unique<Output>(session, path, format, scoring, inputs));
  };
  add("-", "6 qseqid sseqid pident evalue");
  add(argv[3], "sam");
  add(argv[4], "jsonl");

  // Each batch of hits comes as soon as it is complete.
  session.search(inputs.first, inputs.second, scoring, {.max_target_seqs = 2, .evalue = 1e-3},
                 [&](const alnus::SearchBatch& batch) {
                   for (const auto& output : outputs) output->rows.write(batch);
                 });
  for (const auto& output : outputs) {
    output->rows.finish();
    output->file.commit();
  }
  return 0;
} catch (const alnus::ClosedPipe&) {
  return 0;  // the reader of standard output has enough, as in write_formats ... | head
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
