// Parts whose contents somebody has changed, with right digests: a merge refuses them, or makes files that
// the contents allow. It neither crashes nor takes more memory than for honest parts.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "api/support/errors.h"
#include "api/support/forged_parts.h"
#include "api/support/parts_fixture.h"
#include "support/sizes.h"

namespace alnus::test {
namespace {

using ::testing::HasSubstr;

// A merge of a forged part may take this many bytes more than merges of honest parts.
constexpr std::uint64_t kMostMemory = std::uint64_t{256} << 20;
constexpr std::size_t kParts = 3;

// Jobs that between them have every kind of chunk, column and output.
class ApiForgedParts : public PartsTest {
 protected:
  struct Honest {
    std::string name;
    std::vector<std::string> paths;
    std::vector<std::vector<Chunk>> chunks;  // of each part
    JobFiles files;                          // in the folder "merged"
    std::string whole;                       // the folder with the honest outputs
  };

  ApiForgedParts() {
    SearchJob search;
    search.queries = relatives_set(1, 4, 40);
    search.database = joined(relatives_set(1, 8, 40), random_set({.seed = 2, .count = 8, .prefix = "t"}));
    add("table", search.with_format("6 std score sstrand cigar pident_min"));
    search.score_plot = true;
    add("report", search.with_format("0"));
    search.score_plot = false;
    search.options.max_target_seqs = 3;
    search.queries = relatives_set(1, 1, 40);  // the subjects of a single query lie in several parts
    add("pieces", search.with_format("7 std"));

    SearchJob reads;
    reads.queries = with_qualities(relatives_set(1, 3, 60, AlphabetKind::dna));
    reads.database = relatives_set(1, 6, 60, AlphabetKind::dna);
    reads.scoring = default_scoring("semiglobal", AlphabetKind::dna);
    reads.options.strands = Strands::both;
    reads.options.statistics = no_statistics();
    add("reads", reads.with_format("sam"));

    PairsJob pairs;
    pairs.inputs.set = joined(relatives_set(1, 8, 40), random_set({.seed = 2, .count = 8, .prefix = "t"}));
    pairs.with_format("6 std");
    pairs.options.value = MatrixValue{};
    pairs.files.matrix = "matrix.npy";
    pairs.files.phylip = "distances.phy";
    pairs.files.edges = "edges.tsv";
    pairs.files.edge_threshold = 30;
    add("all pairs", pairs);

    PairsJob nearest;
    nearest.inputs.set = relatives_set(1, 8, 40);
    nearest.inputs.against = relatives_set(1, 6, 40);
    nearest.with_format("jsonl");
    nearest.options.value = MatrixValue{PairValue::score};
    nearest.options.top_k = 3;
    nearest.files.edges = "edges.npz";
    add("nearest", nearest);
  }

  template <class Job>
  void add(const std::string& name, const Job& job) {
    Honest& honest =
        jobs_.emplace_back(Honest{name, {}, {}, job_files_of(job, "merged"), "whole of " + name});
    Session small(session_options(1, 1 << 20));  // so little memory makes many chunks
    for (std::size_t number = 1; number <= kParts; ++number) {
      honest.paths.push_back(new_part());
      compute_by(small, job, {number, kParts}, honest.paths.back());
      honest.chunks.push_back(chunks_of(honest.paths.back()));
    }
    clear("merged");
    merging_.merge(honest.paths, honest.files);
    clear(honest.whole);
    for (const std::string& file : names_in("merged"))
      std::filesystem::copy_file(directory_.file("merged/" + file),
                                 directory_.file(honest.whole + "/" + file));
  }
  void compute_by(Session& session, const SearchJob& job, const PartOfJob& part, const std::string& path) {
    session.search_part(job.queries, job.database, job.scoring, job.options, files_of(job, "elsewhere"), part,
                        path);
  }
  void compute_by(Session& session, const PairsJob& job, const PartOfJob& part, const std::string& path) {
    session.all_pairs_part(job.inputs, job.scoring, job.options, files_of(job, "elsewhere"), part, path);
  }
  static SequenceSet with_qualities(const SequenceSet& set) {
    SequenceSetBuilder builder(set.alphabet(), "reads");
    for (Index i = 0; i < set.size(); ++i)
      builder.add(set[i].header, set.residues(i), std::string(set.length(i), 'I'));
    return builder.finish();
  }

  enum class Outcome { refused, right, other };
  // Merges the job with another file in place of one part. Returns whether the merge refused that file, made
  // the right outputs, or made other ones.
  Outcome merge(const Honest& honest, std::size_t part, const std::string& forged) {
    std::vector<std::string> paths = honest.paths;
    paths[part] = forged;
    const Thrown thrown = thrown_by([&] { merging_.merge(paths, honest.files); });
    Outcome outcome = Outcome::refused;
    if (thrown.error) {
      EXPECT_EQ(thrown.kind, ErrorKind::input) << thrown.text;
      EXPECT_THAT(names_in("merged"), testing::IsEmpty());
    } else {
      EXPECT_EQ(thrown.text, "nothing was thrown");
      outcome = same_files("merged", honest.whole) ? Outcome::right : Outcome::other;
    }
    clear("merged");
    return outcome;
  }
  // Forges parts: `count` times write_forged(job, number of the part, forger, path) writes a file, which is
  // merged in place of an honest part. Returns how often each outcome came. Expects that no merge takes more
  // than kMostMemory beyond what honest parts take.
  template <class Forge>
  std::map<Outcome, int> forge(int count, const Forge& write_forged) {
    std::map<Outcome, int> outcomes;
    Forger forger(43);
    forget_peak();
    for (const Honest& honest : jobs_) merge(honest, 0, honest.paths[0]);
    const std::uint64_t honest_memory = peak_memory();
    const std::string forged = directory_.file("forged");
    std::uint64_t most = 0;
    for (int round = 0; round < count; ++round) {
      const Honest& honest = jobs_[forger.below(jobs_.size())];
      const std::size_t part = forger.below(kParts);
      const std::string what = write_forged(honest, part, forger, forged);
      SCOPED_TRACE(std::to_string(round) + ", " + honest.name + ", part " + std::to_string(part + 1) + ", " +
                   what);
      forget_peak();
      const Outcome outcome = merge(honest, part, forged);
      const std::uint64_t memory = peak_memory();
      most = std::max(most, memory);
      if (!kSanitized) {
        EXPECT_LE(memory, honest_memory + kMostMemory);
      }
      ++outcomes[outcome];
      if (outcome == Outcome::other) others_.push_back(honest.name + ": " + what);
      if (HasFailure()) break;
    }
    RecordProperty("refused", outcomes[Outcome::refused]);
    RecordProperty("right", outcomes[Outcome::right]);
    RecordProperty("other", outcomes[Outcome::other]);
    std::printf("  %d refused, %d right, %d others; %.1f MB more than the %.1f MB of honest parts at most\n",
                outcomes[Outcome::refused], outcomes[Outcome::right], outcomes[Outcome::other],
                (static_cast<double>(most) - static_cast<double>(honest_memory)) / 1e6,
                static_cast<double>(honest_memory) / 1e6);
    return outcomes;
  }

  std::vector<Honest> jobs_;
  std::vector<std::string> others_;  // forgeries that gave other files
};

// In a part of a search for one query, the chunk of hits ends with the query's candidates, of eight bytes
// each: the score, and the place of the subject in its file.
TEST_F(ApiForgedParts, CandidatesThatCannotBe) {
  const Honest& pieces = *std::ranges::find(jobs_, "pieces", &Honest::name);
  const auto merged_with = [&](std::size_t from_end, std::uint32_t value) {
    std::vector<Chunk> chunks = pieces.chunks[0];
    std::string& hits = std::ranges::find(chunks, io::ChunkKind::hits, &Chunk::kind)->bytes;
    std::memcpy(&hits.at(hits.size() - from_end), &value, sizeof value);
    std::vector<std::string> paths = pieces.paths;
    paths[0] = directory_.file("forged");
    write_chunks(paths[0], chunks);
    return input_error([&] { merging_.merge(paths, pieces.files); });
  };
  const auto names_them = HasSubstr("its candidates are none of its subjects");
  EXPECT_THAT(merged_with(8, 1'000'000), names_them);  // a score beyond that of any alignment
  EXPECT_THAT(merged_with(4, 1'000'000), names_them);  // a place beyond the file's end
}

// Changed contents may be a possible result that is not the honest one, for example if a score has another
// value. So a few merges may make other outputs.
TEST_F(ApiForgedParts, AnyContents) {
  const auto outcomes = forge(by_size(120, 5000), [](const Honest& honest, std::size_t part, Forger& forger,
                                                     const std::string& path) {
    std::vector<Chunk> chunks = honest.chunks[part];
    std::string what = forger.change(chunks);
    write_chunks(path, chunks);
    return what;
  });
  EXPECT_GT(outcomes.at(Outcome::refused), 0);
  EXPECT_LE(others_.size(), static_cast<std::size_t>(by_size(120, 5000)) / 20)
      << testing::PrintToString(others_);
}

TEST_F(ApiForgedParts, MovedChunksOfAFile) {
  const auto outcomes = forge(
      by_size(60, 500), [](const Honest& honest, std::size_t part, Forger& forger, const std::string& path) {
        CutPart cut = cut_part(read_file(honest.paths[part]));
        std::string what = forger.move(cut.chunks);
        std::ofstream out(path, std::ios::binary);
        out << cut.magic;
        for (const std::string& chunk : cut.chunks) out << chunk;
        return what;
      });
  EXPECT_THAT(others_, testing::IsEmpty());
  EXPECT_GT(outcomes.at(Outcome::refused), 0);
}

// The digest over all chunks is right, too: what the chunks say must fit together.
TEST_F(ApiForgedParts, MovedChunksWithARightEnd) {
  const auto outcomes = forge(
      by_size(60, 500), [](const Honest& honest, std::size_t part, Forger& forger, const std::string& path) {
        std::vector<Chunk> chunks = honest.chunks[part];
        std::string what = forger.move(chunks);
        write_chunks(path, chunks);
        return what;
      });
  EXPECT_THAT(others_, testing::IsEmpty());
  EXPECT_GT(outcomes.at(Outcome::refused), 0);
}

}  // namespace
}  // namespace alnus::test
