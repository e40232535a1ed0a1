#include "api/support/parts_fixture.h"

#include <algorithm>
#include <filesystem>
#include <random>
#include <utility>

#include "jobs/pair_outputs.h"
#include "support/compression.h"

namespace alnus::test {
namespace {

// Describes where two texts first differ: "byte 7, line 3: 'a' instead of 'b'".
std::string first_difference(const std::string& found, const std::string& expected) {
  const auto at = static_cast<std::size_t>(std::ranges::mismatch(found, expected).in1 - found.begin());
  const auto line_of = [&](const std::string& text) {
    const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    return text.substr(begin, std::min<std::size_t>(300, text.find('\n', at) - begin));
  };
  const auto lines = std::count(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return "byte " + std::to_string(at) + ", line " + std::to_string(lines + 1) + ": '" + line_of(found) +
         "' instead of '" + line_of(expected) + "'";
}

void expect_same(const SearchSummary& found, const SearchSummary& expected) {
  EXPECT_EQ(found.queries, expected.queries);
  EXPECT_EQ(found.cells, expected.cells);
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_EQ(found.hits, expected.hits);
  EXPECT_EQ(found.cut_ties, expected.cut_ties);
  EXPECT_EQ(found.cut_tie_ids.size(), expected.cut_tie_ids.size());
  EXPECT_EQ(found.without_hits, expected.without_hits);
  EXPECT_EQ(found.without_hits_ids, expected.without_hits_ids);
  EXPECT_EQ(found.left_out, expected.left_out);
  EXPECT_EQ(found.fallbacks, expected.fallbacks);
  EXPECT_EQ(found.method, expected.method);
  EXPECT_EQ(found.statistics, expected.statistics);
  EXPECT_EQ(found.has_parameters, expected.has_parameters);
  EXPECT_EQ(found.fallback, expected.fallback);
}

void expect_same(const AllPairsSummary& found, const AllPairsSummary& expected) {
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_EQ(found.cells, expected.cells);
  EXPECT_EQ(found.listed, expected.listed);
  EXPECT_EQ(found.filtered, expected.filtered);
  EXPECT_EQ(found.empty, expected.empty);
  EXPECT_EQ(found.edges, expected.edges);
  EXPECT_EQ(found.statistics, expected.statistics);
}

}  // namespace

SearchJob& SearchJob::with_format(const std::string& text) {
  format = OutputFormat::parse(text);
  options.detail = format.needed_detail();
  format.set_needs(options);
  return *this;
}

PairsJob& PairsJob::with_format(const std::string& text) {
  files.rows = "rows";
  files.format = OutputFormat::parse(text);
  options.detail = files.format.needed_detail();
  files.format.set_needs(options);
  return *this;
}

SequenceSet repeated(const SequenceSet& set, int copies) {
  SequenceSetBuilder builder(set.alphabet(), "copies");
  for (int copy = 0; copy < copies; ++copy)
    for (Index k = 0; k < set.size(); ++k)
      builder.add("c" + std::to_string(copy) + "_" + std::to_string(k), set.residues(k));
  return builder.finish();
}

SearchFiles PartsTest::files_of(const SearchJob& job, const std::string& folder) const {
  SearchFiles files;
  files.rows = path(folder, "rows");
  files.format = job.format;
  files.head.database_name = "a database";
  files.head.detail = job.options.detail;
  files.head.max_evalue = job.options.evalue;
  if (job.score_plot) files.score_plot = path(folder, "plot.svg");
  return files;
}

PairFiles PartsTest::files_of(const PairsJob& job, const std::string& folder) const {
  PairFiles files = job.files;
  for (const jobs::PairOutputKind& kind : jobs::pair_output_kinds()) {
    files.*kind.path = path(folder, files.*kind.path);
    if (kind.more_paths)
      for (auto& [value, name] : files.*kind.more_paths) name = path(folder, name);
  }
  files.head.database_name = "a database";
  files.head.detail = job.options.detail;
  files.head.max_evalue = job.options.filter.evalue;
  return files;
}

JobFiles PartsTest::job_files_of(const SearchJob& job, const std::string& folder) const {
  const SearchFiles of = files_of(job, folder);
  JobFiles files;
  files.rows = of.rows;
  files.score_plot = of.score_plot;
  return files;
}

JobFiles PartsTest::job_files_of(const PairsJob& job, const std::string& folder) const {
  const PairFiles of = files_of(job, folder);
  JobFiles files;
  for (const jobs::PairOutputKind& kind : jobs::pair_output_kinds()) {
    files.*kind.merged_path = of.*kind.path;
    if (kind.more_paths) files.*kind.merged_more_paths = of.*kind.more_paths;
  }
  return files;
}

SearchSummary PartsTest::compute(const SearchJob& job, const PartOfJob& part, const PartTarget& target,
                                 const RunControl& run) {
  return next_session().search_part(job.queries, job.database, job.scoring, job.options,
                                    files_of(job, "elsewhere"), part, target, run);
}

AllPairsSummary PartsTest::compute(const PairsJob& job, const PartOfJob& part, const PartTarget& target,
                                   const RunControl& run) {
  return next_session().all_pairs_part(job.inputs, job.scoring, job.options, files_of(job, "elsewhere"), part,
                                       target, run);
}

void PartsTest::expect_whole(const SearchJob& job, const std::vector<std::size_t>& counts) {
  clear("whole");
  const SearchSummary whole =
      two_threads_.search(job.queries, job.database, job.scoring, job.options, files_of(job, "whole"));
  for (const std::size_t count : counts) {
    SCOPED_TRACE(std::to_string(count) + " parts");
    clear("merged");
    const MergeSummary merged = merging_.merge(parts_of(job, count), job_files_of(job, "merged"));
    EXPECT_EQ(merged.job, Plan::Job::search);
    EXPECT_EQ(merged.parts, count);
    EXPECT_EQ(merged.rows, job.queries.size());
    EXPECT_EQ(merged.columns, job.database.size());
    expect_same(merged.search, whole);
    EXPECT_TRUE(same_files("merged", "whole"));
  }
}

void PartsTest::expect_whole(const PairsJob& job, const std::vector<std::size_t>& counts) {
  clear("whole");
  const AllPairsSummary whole =
      two_threads_.all_pairs(job.inputs, job.scoring, job.options, files_of(job, "whole"));
  for (const std::size_t count : counts) {
    SCOPED_TRACE(std::to_string(count) + " parts");
    clear("merged");
    const MergeSummary merged = merging_.merge(parts_of(job, count), job_files_of(job, "merged"));
    EXPECT_EQ(merged.job, job.inputs.against ? Plan::Job::all_pairs_of_two : Plan::Job::all_pairs);
    EXPECT_EQ(merged.parts, count);
    EXPECT_EQ(merged.rows, job.inputs.set.size());
    EXPECT_EQ(merged.columns, job.inputs.against.value_or(job.inputs.set).size());
    expect_same(merged.all_pairs, whole);
    EXPECT_TRUE(same_files("merged", "whole"));
  }
}

Database PartsTest::as_file(const SequenceSet& set) {
  const std::string fasta = directory_.write_file("database.fa", fasta_of(set)),
                    file = directory_.file("database.alnus");
  const AlphabetChoice alphabet =
      set.alphabet() == AlphabetKind::dna ? AlphabetChoice::dna : AlphabetChoice::protein;
  two_threads_.make_database({fasta}, file, {.alphabet = alphabet});
  return two_threads_.open(file, {.alphabet = alphabet});
}

std::string PartsTest::new_part() { return directory_.file("part" + std::to_string(++parts_)); }

std::vector<std::string> PartsTest::shuffled(std::vector<std::string> paths) {
  std::mt19937 random(static_cast<unsigned>(paths.size()));
  std::ranges::shuffle(paths, random);
  return paths;
}

std::set<std::string> PartsTest::names_in(const std::string& folder) const {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory_.file(folder)))
    names.insert(entry.path().filename().string());
  return names;
}

std::string PartsTest::read(const std::string& folder, const std::string& name) const {
  const std::string file = path(folder, name);
  return name.ends_with(".gz") || name.ends_with(".zst") ? unpacked(file) : read_file(file);
}

void PartsTest::clear(const std::string& folder) const {
  std::filesystem::remove_all(directory_.file(folder));
  std::filesystem::create_directory(directory_.file(folder));
}

testing::AssertionResult PartsTest::same_files(const std::string& one, const std::string& other) const {
  const std::set<std::string> names = names_in(other);
  if (names_in(one) != names)
    return testing::AssertionFailure()
           << testing::PrintToString(names_in(one)) << " instead of " << testing::PrintToString(names);
  for (const std::string& name : names) {
    const std::string found = read(one, name), expected = read(other, name);
    if (found != expected)
      return testing::AssertionFailure() << name << ", " << first_difference(found, expected);
  }
  return testing::AssertionSuccess();
}

}  // namespace alnus::test
