// Small sets of sequences and hits that the writers' tests print, and comparison with the expected files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <vector>

#include "alnus/alignment.h"
#include "io/report.h"
#include "stats/evalue.h"

namespace alnus::io {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "alnus-writer-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Queries, subjects, and the hits of each query.
struct Example {
  Scoring scoring;
  SequenceSet queries, subjects;
  std::vector<std::vector<Row>> hits;
  std::optional<stats::KarlinParameters> statistics;                   // empty: no E-values
  std::vector<std::shared_ptr<const std::vector<CigarRun>>> cigars{};  // of all hits

  ReportContext context(Detail detail = Detail::alignment) const {
    ReportContext context;
    context.version = "1.2.3";
    context.command_line = "alnus search queries.fasta subjects.fasta";
    context.scoring = &scoring;
    context.subjects = &subjects;
    context.database_name = "subjects.fasta";
    context.database_sequences = subjects.size();
    context.database_residues = subjects.total_residues();
    context.detail = detail;
    context.is_search = true;
    return context;
  }

  // Adds the exact alignment of a pair as a hit, with E-value and bit score if there are statistics.
  void add_hit(SequenceSet::Index query, SequenceSet::Index subject) {
    const Alignment alignment =
        align_reference(queries.residues(query), subjects.residues(subject), scoring, Detail::alignment);
    add_hit(query, subject, alignment);
  }
  void add_hit(SequenceSet::Index query, SequenceSet::Index subject, const Alignment& alignment) {
    cigars.push_back(std::make_shared<std::vector<CigarRun>>(alignment.cigar));
    Row& row = hits[query].emplace_back();
    row.query = query;
    row.subject = subject;
    row.set(alignment, {});
    row.cigar = *cigars.back();
    if (statistics) row.significance = judge(query)->of(alignment.score, subjects.length(subject));
  }
  stats::ScoreJudgePtr judge(SequenceSet::Index query) const {
    return stats::karlin_judge(*statistics, scoring, queries.length(query), stats::search_space_of(subjects));
  }
};

inline SequenceSet sequences(const std::vector<std::pair<std::string, std::string>>& records,
                             AlphabetKind alphabet = AlphabetKind::protein) {
  SequenceSetBuilder builder(alphabet, "sequences.fasta");
  for (const auto& [header, letters] : records) builder.add_text(header, letters);
  return builder.finish();
}

inline Scoring blosum62(const std::string& mode) {
  ScoringOptions options;
  options.mode = mode;
  options.matrix = "BLOSUM62";
  return make_scoring(options);
}
inline Scoring as_needle() {
  ScoringOptions options;
  options.preset = "emboss-needle";
  return make_scoring(options);
}
inline Scoring nucleotides() {
  ScoringOptions options;
  options.alphabet = AlphabetKind::dna;
  options.match = "1";
  options.mismatch = "-2";
  options.gap_open = "2";
  options.gap_extend = "1";
  return make_scoring(options);
}

// Local alignments of proteins, with gaps on both sides, soft-masked letters, U, X and *, awkward titles, a
// gap that is longer than a line, a hit without statistics, and a query without hits.
inline Example local_example() {
  const std::string helix =
      "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVUQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQFEVVHSLAKWKRQTLGQHDFSAG";
  Example example{
      blosum62("local"),
      sequences(
          {{"sp|Q1|FIRST The first, so-called \"quoted\"\tprotein OS=Escherichia coli K12 GN=a PE=1 SV=1",
            helix},
           {"second", "WWWHHHWWW"}}),
      sequences({{"sp|S1|ONE A subject, with a long title that runs over more than one line of a report PE=1",
                  "GGGMKTAYIAKQRqisfvkSHFSRQEERLGLIEVUQAPILSRVGDGTQENLSGPPPAEKAVQVKVRALPDXQFEVVHTLAKWKRQ*LG"},
                 {"S2", "GLIEVCQAPILSKAA"},
                 {"S3 cys", helix.substr(0, 40) + std::string(130, 'P') + helix.substr(40)}}),
      {{}, {}},
      {}};
  example.statistics = stats::published_parameters(example.scoring);
  example.add_hit(0, 0);
  Alignment long_gap;
  const auto after = static_cast<std::uint32_t>(helix.size() - 40);
  long_gap.cigar = {{CigarOp::equal, 40}, {CigarOp::deletion, 130}, {CigarOp::equal, after}};
  long_gap.query_begin = long_gap.subject_begin = 0;
  long_gap.query_end = static_cast<std::int32_t>(example.queries.length(0));
  long_gap.subject_end = static_cast<std::int32_t>(example.subjects.length(2));
  long_gap.score = static_cast<std::int32_t>(
      rescore(long_gap, example.queries.residues(0), example.subjects.residues(2), example.scoring));
  example.add_hit(0, 2, long_gap);
  example.add_hit(0, 1);
  example.hits[0].back().significance = {};
  return example;
}

// Semiglobal alignments with decimal gap costs, with overhangs on either side and a pair without aligned
// residues.
inline Example semiglobal_example() {
  Example example{
      as_needle(),
      sequences({{"query_with_a_long_name q",
                  "PPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPMKTAYIAKQRQISFVKSHFSRQLEERLGLIEV"},
                 {"lonely", "WWWWW"}}),
      sequences({{"overlap", "MKTAYIAKQRQISFAVKSHFSRQLEERLGLIEVDDDDDDDDDDDDDDDDDDDDD"}, {"nothing", "PPPP"}}),
      {{}, {}},
      {}};
  example.add_hit(0, 0);
  example.add_hit(1, 1);
  return example;
}

inline Example dna_example() {
  Example example{nucleotides(),
                  sequences({{"read1", "acgtACGTTTGACCNAGT"}}, AlphabetKind::dna),
                  sequences({{"chr,1", "GGGACGTACGTTGACCAAGTGGG"}, {"chr2", ""}}, AlphabetKind::dna),
                  {{}},
                  {}};
  example.add_hit(0, 0);
  return example;
}

inline std::string written(const Example& example, const OutputFormat& format,
                           Detail detail = Detail::alignment) {
  const TemporaryDirectory directory;
  ThreadPool pool(1);
  OutputFile out(pool, directory.file("out"));
  Report report(format, example.context(detail), out);
  report.begin();
  for (SequenceSet::Index i = 0; i < example.queries.size(); ++i) {
    std::optional<QueryStatistics> statistics;
    if (example.statistics)
      statistics = stats::query_statistics(*example.judge(i), Composition::none, LowComplexity::none);
    Answer answer{example.queries[i], Rows(example.hits[i]), statistics ? &*statistics : nullptr, i};
    answer.primary = primary_row(answer.rows);
    report.write({&answer, 1});
  }
  report.end(example.queries.size());
  out.commit();
  return read_file(directory.file("out"));
}

inline std::string written(const Example& example, std::string_view format,
                           Detail detail = Detail::alignment) {
  return written(example, OutputFormat::parse(format), detail);
}

// Compares the text with tests/data/golden/NAME. If ALNUS_UPDATE_GOLDEN is set in the environment, writes the
// file before that: read the difference before you commit it.
inline void expect_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(ALNUS_SOURCE_DIR) / "tests/data/golden" / name;
  if (std::getenv("ALNUS_UPDATE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_EQ(text, read_file(path)) << "differs from " << path;
}

}  // namespace alnus::io
