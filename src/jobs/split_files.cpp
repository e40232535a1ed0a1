#include "jobs/split_files.h"

#include <fmt/format.h>

#include "alnus/error.h"
#include "io/fasta_writer.h"
#include "io/id_check.h"
#include "io/id_index.h"
#include "io/membership_writer.h"
#include "jobs/split_methods.h"
#include "jobs/split_page.h"
#include "session/database_state.h"

namespace alnus::jobs {
namespace {

std::string fasta_of(const SplitFiles& files, const std::string& subset) {
  return fmt::format("{}.{}.fasta", files.fasta, subset);
}
std::string ids_of(const SplitFiles& files, const std::string& subset) {
  return fmt::format("{}.{}.ids", files.ids, subset);
}

}  // namespace

SplitWriters::SplitWriters(const SplitFiles& files, const Database& set,
                           const std::vector<std::string>& names, const std::vector<std::string>& kept,
                           ThreadPool& threads)
    : set_(set), names_(names), head_(files.head) {
  io::IdIndex(set.sequences()).require_distinct();
  const std::string fasta_advice = fmt::format("leave {} out", option("fasta"));
  if (!files.fasta.empty()) io::require_ids_without(" \t", set.sequences(), "FASTA", fasta_advice);
  io::require_writable_ids(set.sequences());
  if (!files.certificate.empty()) io::require_utf8_ids(set.sequences());
  std::vector<std::string> inputs = set.state()->files;
  inputs.insert(inputs.end(), kept.begin(), kept.end());
  check_outputs(outputs_of(files, names), inputs);
  open(csv_, files.csv, Contents::commas, threads);
  open(graph_part_, files.graph_part, Contents::commas, threads);
  open(methods_, files.methods, Contents::text, threads);
  open(certificate_, files.certificate, Contents::json_lines, threads);
  open(report_, files.report, Contents::html, threads);
  for (const std::string& name : names) {
    if (!files.fasta.empty()) open(fasta_.emplace_back(), fasta_of(files, name), Contents::fasta, threads);
    if (!files.ids.empty()) open(ids_.emplace_back(), ids_of(files, name), Contents::text, threads);
  }
}

void SplitWriters::open(std::unique_ptr<io::OutputFile>& file, const std::string& path, Contents contents,
                        ThreadPool& threads) {
  if (path.empty()) return;
  check_name(path, contents);
  file = std::make_unique<io::OutputFile>(threads, path);
}

void SplitWriters::add_pair(SequenceSet::Index record, SequenceSet::Index other) {
  if (certificate_) pairs_.add(set_.sequences()[record].id(), set_.sequences()[other].id());
}

void SplitWriters::write(const Split& split, const Scoring& scoring, EdgeSource source,
                         const StopFlag& stop) {
  const SequenceSet& set = set_.sequences();
  static_assert(Split::kRemoved == io::kNoSet);
  if (csv_) io::write_split(*csv_, set, {split.subset_of, names_});
  if (graph_part_) io::write_graph_part(*graph_part_, set, split.subset_of);
  for (std::uint32_t s = 0; s < names_.size(); ++s) {
    if (!fasta_.empty())
      io::write_fasta(*fasta_[s], set, [&](SequenceSet::Index i) { return split.subset_of[i] == s; });
    if (!ids_.empty()) io::write_subset_ids(*ids_[s], set, split.subset_of, s);
  }
  SplitDocument document;
  if (certificate_ || methods_) {
    io::Certificate certificate = certificate_of(split, set_, std::move(source), stop);
    certificate.edges.sum_sha256 = pairs_.hex();
    if (methods_) methods_->write(methods_of(certificate, certificate_ != nullptr));
    if (certificate_) {
      io::write_certificate(*certificate_, certificate);
      document = {certificate_->path(), io::to_json(certificate)};
    }
  }
  if (report_) write_page(split, set_, scoring, document, head_, *report_);
}

void SplitWriters::commit() {
  std::vector<io::OutputFile*> all;
  for (auto* files : {&fasta_, &ids_})
    for (auto& file : *files) all.push_back(file.get());
  for (auto* file : {&csv_, &graph_part_, &methods_, &report_,
                     &certificate_})  // the certificate last: it tells of the others
    if (*file) all.push_back(file->get());
  for (io::OutputFile* file : all) file->finish();
  for (io::OutputFile* file : all) file->commit();
}

}  // namespace alnus::jobs

std::vector<std::string> alnus::outputs_of(const SplitFiles& files, const std::vector<std::string>& subsets) {
  std::vector<std::string> outputs;
  for (const std::string* name :
       {&files.csv, &files.graph_part, &files.methods, &files.report, &files.certificate})
    if (!name->empty()) outputs.push_back(*name);
  for (const std::string& subset : subsets) {
    if (!files.fasta.empty()) outputs.push_back(jobs::fasta_of(files, subset));
    if (!files.ids.empty()) outputs.push_back(jobs::ids_of(files, subset));
  }
  return outputs;
}
