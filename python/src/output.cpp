// Bindings that write files of rows, sequences and texts, with the bytes that the program writes.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <vector>

#include "alnus/html_report.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "bindings.h"
#include "calls.h"
#include "results.h"

namespace alnus::python {
namespace {

void write(Session& session, const Rows& rows, const std::string& format, const std::string& path,
           bool header, const std::string& command_line, const Listeners& listeners) {
  OutputFormat of_file = OutputFormat::parse(format);
  of_file.header = header;
  const ReportHead head{std::string(version()), command_line, rows.subjects.name(), rows.detail,
                        rows.max_evalue};
  follow_work(listeners, [&](const RunControl&) {
    OutputFile out(session, path);
    RowWriter writer(out, of_file, rows.scoring, rows.queries, rows.subjects, head);
    if (rows.first_row.empty()) {
      // A format without columns of significance does not say how scores are judged.
      writer.write(rows.columns, of_file.needs_significance() ? rows.statistics : std::string(),
                   rows.grouping);
    } else {
      SearchBatch batch;
      batch.queries = {0, rows.queries.size()};
      batch.first_row = rows.first_row;
      batch.rows = rows.columns;
      batch.query_statistics = rows.query_statistics;
      batch.statistics = rows.statistics;
      writer.write(batch);
    }
    writer.finish();
    out.commit();
  });
}

void write_report(Session& session, const Rows& rows, const std::string& format, const std::string& path,
                  bool header, const std::string& command_line, std::uint64_t most_bytes,
                  const Listeners& listeners) {
  OutputFormat of_table = OutputFormat::parse(format);
  of_table.header = header;
  const ReportHead head{std::string(version()), command_line, rows.subjects.name(), rows.detail,
                        rows.max_evalue};
  // Chosen rows that are not in the order of their queries are shown as pairs.
  const bool by_query = !rows.first_row.empty();
  const ReportedJob job = by_query || rows.job != ReportedJob::search ? rows.job : ReportedJob::align;
  follow_work(listeners, [&](const RunControl& run) {
    OutputFile out(session, path);
    HtmlReportWriter writer(out, job, rows.scoring, rows.queries, rows.subjects, of_table, head, most_bytes);
    if (by_query) {
      SearchBatch batch;
      batch.queries = {0, rows.queries.size()};
      batch.first_row = rows.first_row;
      batch.rows = rows.columns;
      batch.statistics = rows.statistics;
      writer.write(batch);
    } else {
      writer.write(rows.columns, rows.statistics);
    }
    const std::string left_out = rows.summary ? writer.finish(*rows.summary) : writer.finish();
    if (!left_out.empty()) run.on_message({Severity::info, left_out});
    out.commit();
  });
}

void check_rows_name(const std::string& path, const std::string& format) {
  check_name(path, OutputFormat::parse(format).contents());
}

constexpr std::size_t kFastaWidth = 60;

void append_fasta(std::string& text, std::string_view header, std::string_view letters) {
  text += '>';
  text += header;
  text += '\n';
  for (std::size_t begin = 0; begin < letters.size(); begin += kFastaWidth) {
    text += letters.substr(begin, kFastaWidth);
    text += '\n';
  }
}

void write_fasta(Session& session, const Database& database, const std::string& path,
                 const Listeners& listeners) {
  follow_work(listeners, [&](const RunControl& run) {
    check_name(path, Contents::fasta);
    const SequenceSet& set = database.sequences();
    const Alphabet& alphabet = Alphabet::of(database.alphabet());
    OutputFile out(session, path);
    std::string text, letters;
    for (std::uint32_t k = 0; k < set.size(); ++k) {
      if (run.stop.stop_requested()) throw Interrupted{};
      letters.clear();
      for (const Residue residue : set.residues(k)) letters += alphabet.decode(residue);
      text.clear();
      append_fasta(text, set[k].header, letters);
      out.write(text);
    }
    database.check_files();
    out.commit();
  });
}

void write_text(Session& session, const std::string& text, const std::string& path,
                const Listeners& listeners) {
  follow_work(listeners, [&](const RunControl&) {
    OutputFile out(session, path);
    out.write(text);
    out.commit();
  });
}

}  // namespace

void bind_output(nb::module_& module) {
  module.def(
      "check_outputs",
      [](const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
        check_outputs(outputs, inputs);
      },
      nb::arg("outputs"), nb::arg("inputs"));
  module.def(
      "printable", [](const std::string& text) { return printable(text); }, nb::arg("text"));
  module.def("write", &write, nb::arg("session"), nb::arg("rows"), nb::arg("format"), nb::arg("path"),
             nb::kw_only(), nb::arg("header"), nb::arg("command_line"), nb::arg("listeners"));
  module.def("write_report", &write_report, nb::arg("session"), nb::arg("rows"), nb::arg("format"),
             nb::arg("path"), nb::kw_only(), nb::arg("header"), nb::arg("command_line"), nb::arg("size"),
             nb::arg("listeners"));
  module.def("check_rows_name", &check_rows_name, nb::arg("path"), nb::arg("format"));
  module.def("write_fasta", &write_fasta, nb::arg("session"), nb::arg("database"), nb::arg("path"),
             nb::kw_only(), nb::arg("listeners"));
  module.def("write_text", &write_text, nb::arg("session"), nb::arg("text"), nb::arg("path"), nb::kw_only(),
             nb::arg("listeners"));
}

}  // namespace alnus::python
