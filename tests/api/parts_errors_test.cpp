// Parts, and sets of parts, that a merge refuses. It then leaves no file behind.
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "api/support/errors.h"
#include "api/support/forged_parts.h"
#include "api/support/parts_fixture.h"
#include "io/part_file.h"
#include "jobs/job.h"
#include "jobs/job_parts.h"

namespace alnus::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Returns the bytes at which the headers of a part's chunks begin. A header has the kind, a reserved number,
// the sizes of the chunk unpacked and stored, and a digest of 32 bytes.
std::vector<std::size_t> headers_in(const std::string& part) {
  std::vector<std::size_t> headers;
  for (std::size_t at = 16; at < part.size();) {
    headers.push_back(at);
    std::uint64_t stored = 0;
    std::memcpy(&stored, part.data() + at + 16, sizeof stored);
    at += 56 + stored;
  }
  return headers;
}

class ApiPartErrors : public SmallPartsTest {
 protected:
  // Writes a copy of the part whose description of the job is changed by `change`, and returns its path.
  std::string with_job(const std::string& path, const std::function<void(nlohmann::ordered_json&)>& change) {
    std::vector<Chunk> chunks = chunks_of(path);
    nlohmann::ordered_json job = nlohmann::ordered_json::parse(chunks.at(0).bytes);
    change(job);
    chunks[0].bytes = job.dump();
    std::string changed = new_part();
    write_chunks(changed, chunks);
    return changed;
  }
};

// ---- Builds ----

TEST_F(ApiPartErrors, PartsOfBuildsOfDifferentCommitsAreMergedWithAWarning) {
  const auto of_commit = [](const char* commit) {
    return [commit](nlohmann::ordered_json& job) { job.at("commit") = commit; };
  };
  const std::vector<std::string> parts = some_parts(search_, 2, {1, 2});
  const auto warnings_of = [&](const std::vector<std::string>& merged) {
    std::vector<std::string> warnings;
    RunControl run;
    run.on_message = [&](const Message& message) {
      if (message.severity == Severity::warning) warnings.push_back(message.text());
    };
    merging_.merge(merged, job_files_of(search_, "merged"), run);
    return warnings;
  };
  EXPECT_THAT(warnings_of(parts), IsEmpty());
  EXPECT_THAT(warnings_of({with_job(parts[0], of_commit("abc")), with_job(parts[1], of_commit("def-dirty"))}),
              ::testing::ElementsAre(HasSubstr("from different commits (abc, def-dirty)")));
  EXPECT_THAT(warnings_of({with_job(parts[0], of_commit("abc")), with_job(parts[1], of_commit(""))}),
              ::testing::ElementsAre(HasSubstr("from different commits (abc, an unknown one)")));
}

// ---- Missing and repeated parts ----

TEST_F(ApiPartErrors, APartThatIsThereTwice) {
  for (const auto& [again, paths] : std::vector<std::pair<bool, std::vector<std::string>>>{
           {true, some_parts(search_, 3, {1, 2, 3})}, {false, some_parts(search_, 3, {1, 2, 3, 2})}}) {
    std::vector<std::string> given = paths;
    if (again) given.push_back(paths[1]);
    EXPECT_THAT(merge_error(given, search_),
                HasSubstr(paths[1] + " and " + given[3] + " are the same part, 2 of 3: name one of them."));
  }
  const std::string both = new_part();
  compute(pairs_, {1, 3, 1}, both);
  const std::vector<std::string> paths = some_parts(pairs_, 3, {2, 3});
  EXPECT_THAT(merge_error({paths[1], paths[0], both}, pairs_),
              HasSubstr(both + " and " + paths[0] + " are the same part, 2 of 3"));
}

TEST_F(ApiPartErrors, PartsThatAreMissing) {
  EXPECT_THAT(merge_error(some_parts(search_, 7, {4, 1, 2}), search_),
              HasSubstr("4 parts of 7 are missing: 3, 5 to 7. Compute them by part I/7, and merge all"));
  EXPECT_THAT(merge_error(some_parts(search_, 3, {2, 3}), search_),
              HasSubstr("One part of 3 is missing: 1. Compute it by part I/3, and merge all together."));
  EXPECT_THAT(merge_error(some_parts(pairs_, 4, {3}), pairs_),
              HasSubstr("3 parts of 4 are missing: 1 to 2, 4."));
  EXPECT_THAT(merge_error({}, pairs_), HasSubstr("There are no parts to merge."));
  EXPECT_THAT(input_error([&] { merging_.merge(std::vector<PartPlace>{}, job_files_of(search_, "merged")); }),
              HasSubstr("There are no parts to merge."));
}

TEST_F(ApiPartErrors, WhatIsNoPart) {
  const std::string part = some_parts(search_, 2, {1}).front();
  const std::string fasta = directory_.write_file("set.fa", ">s\nMK\n"),
                    empty = directory_.write_file("empty", ""), missing = directory_.file("missing");
  EXPECT_THAT(merge_error({part, fasta}, search_), AllOf(HasSubstr(fasta + " is no part of a job")));
  EXPECT_THAT(merge_error({empty, part}, search_), HasSubstr(empty + " is no part of a job"));
  EXPECT_THAT(merge_error({missing}, search_), HasSubstr(missing + " cannot be opened: No such file"));
  EXPECT_THAT(merge_error({directory_.file("merged")}, search_), HasSubstr("merged is no file"));
  EXPECT_THAT(merge_error({""}, search_), HasSubstr("cannot be opened"));
}

TEST_F(ApiPartErrors, PlacesWhereNoPartBegins) {
  const std::string part = some_parts(search_, 1, {1}).front();
  const JobFiles files = job_files_of(search_, "merged");
  for (const std::uint64_t begin : {std::uint64_t{5}, std::filesystem::file_size(part) - 1,
                                    std::filesystem::file_size(part), ~std::uint64_t{0}}) {
    const auto merge = [&] { merging_.merge(std::vector<PartPlace>{{part, begin}}, files); };
    EXPECT_THAT(input_error(merge), HasSubstr(part + " is damaged from byte " + std::to_string(begin)));
    EXPECT_THAT(input_error([&] { verify_part({part, begin}); }), HasSubstr(part + " is damaged"));
  }
  EXPECT_THAT(names_in("merged"), IsEmpty());
  EXPECT_NO_THROW(verify_part({part, 0}));
}

TEST_F(ApiPartErrors, AnotherVersion) {
  const std::vector<std::string> paths = some_parts(search_, 2, {1, 2});
  const std::string other = with_job(paths[1], [](auto& job) { job["version"] = "0.0.7"; });
  EXPECT_THAT(merge_error({paths[0], other}, search_),
              AllOf(HasSubstr(other + " was computed by alnus 0.0.7, and this is " + std::string(version())),
                    HasSubstr("by one version")));
}

// ---- Parts of different jobs ----

TEST_F(ApiPartErrors, PartsOfDifferentSearches) {
  const std::vector<std::pair<std::string, std::function<void(SearchJob&)>>> changes = {
      {"the queries differ", [](SearchJob& job) { job.queries = relatives_set(1, 5, 40); }},
      {"the database differs", [](SearchJob& job) { job.database = relatives_set(3, 16, 40); }},
      {"mask differs",
       [this](SearchJob& job) { job.database = two_threads_.masked(job.database, {.seg = true}); }},
      {"mode differs", [](SearchJob& job) { job.scoring = default_scoring("global"); }},
      {"matrix differs",
       [](SearchJob& job) {
         ScoringOptions options;
         options.matrix = "BLOSUM80";
         job.scoring = make_scoring(options);
       }},
      {"the gap costs differ",
       [](SearchJob& job) {
         ScoringOptions options;
         options.gap_open = "12";
         job.scoring = make_scoring(options);
       }},
      {"outfmt differs", [](SearchJob& job) { job.format = OutputFormat::parse("7 std score sstrand"); }},
      {"outfmt differs", [](SearchJob& job) { job.format.columns.pop_back(); }},
      {"header differs", [](SearchJob& job) { job.format.header = true; }},
      {"detail differs", [](SearchJob& job) { job.options.detail = Detail::ends; }},
      {"the columns differ", [](SearchJob& job) { job.options.cigars = false; }},
      {"the columns differ", [](SearchJob& job) { job.options.significance = false; }},
      {"the columns differ", [](SearchJob& job) { job.options.query_statistics = true; }},
      {"the columns differ", [](SearchJob& job) { job.options.identity_ranges = {Denominator::shorter}; }},
      {"max_target_seqs differs", [](SearchJob& job) { job.options.max_target_seqs = 3; }},
      {"evalue differs", [](SearchJob& job) { job.options.evalue = 1; }},
      {"min_score differs", [](SearchJob& job) { job.options.min_score = 20; }},
      {"max_hsps differs", [](SearchJob& job) { job.options.max_hsps = 2; }},
      {"the statistics differ",
       [](SearchJob& job) { job.options.statistics.method = StatisticsMethod::karlin; }},
      {"the statistics differ", [](SearchJob& job) { job.options.statistics = unadjusted_statistics(); }},
      {"the statistics differ", [](SearchJob& job) { job.options.statistics.residues = 1e9; }},
      {"score_plot differs", [](SearchJob& job) { job.score_plot = true; }},
  };
  const std::string first = some_parts(search_, 2, {1}).front();
  for (const auto& [message, change] : changes) {
    SCOPED_TRACE(message);
    SearchJob other = search_;
    change(other);
    const std::string second = some_parts(other, 2, {2}).front();
    EXPECT_THAT(merge_error({first, second}, search_),
                HasSubstr(first + " and " + second + " are parts of different jobs: " + message + "."));
  }
  SearchJob of_file = search_;
  of_file.database = as_file(search_.database.sequences());
  const std::string of_files = some_parts(of_file, 2, {2}).front();
  EXPECT_THAT(merge_error({first, of_files}, search_),
              AllOf(HasSubstr("the database differs. " + first + " is of "),
                    HasSubstr(", and " + of_files + " of " + of_file.database.name() +
                              ". Compute all parts from the "
                              "same file: a database file has its sequences in another order")));
  SearchJob of_more = search_;
  of_more.queries = relatives_set(1, 5, 40);
  EXPECT_THAT(merge_error({first, some_parts(of_more, 2, {2}).front()}, search_),
              HasSubstr("(5 sequences)."));
  const std::string of_three = some_parts(search_, 3, {2}).front();
  EXPECT_THAT(merge_error({first, of_three}, search_),
              HasSubstr(first + " and " + of_three +
                        " are parts of different jobs: one is of 2 parts, the other of 3."));
  const std::string of_pairs = some_parts(pairs_, 2, {2}).front();
  EXPECT_THAT(merge_error({first, of_pairs}, search_),
              AllOf(HasSubstr(first + " and " + of_pairs + " are parts of different jobs"),
                    HasSubstr("they compute different things")));
}

TEST_F(ApiPartErrors, PartsOfDifferentShufflesAndStrands) {
  search_.queries = relatives_set(1, 4, 40, AlphabetKind::dna);
  search_.database = relatives_set(1, 4, 40, AlphabetKind::dna);
  search_.scoring = default_scoring("local", AlphabetKind::dna);
  search_.options.statistics.method = StatisticsMethod::zvalue;
  search_.options.statistics.shuffles = ShuffleOptions{.shuffles = 10};
  const std::string first = some_parts(search_, 2, {1}).front();
  const auto error = [&](const auto& change) {
    SearchJob other = search_;
    change(other);
    return merge_error({some_parts(other, 2, {2}).front(), first}, search_);
  };
  EXPECT_THAT(error([](SearchJob& job) { job.options.statistics.shuffles->seed = 2; }),
              HasSubstr("the statistics differ"));
  EXPECT_THAT(error([](SearchJob& job) { job.options.statistics.shuffles->shuffles = 11; }),
              HasSubstr("the statistics differ"));
  EXPECT_THAT(error([](SearchJob& job) { job.options.strands = Strands::plus; }),
              HasSubstr("strands differs"));
}

TEST_F(ApiPartErrors, PartsOfDifferentAllPairs) {
  pairs_.files.matrix = "matrix.npy";
  pairs_.files.edges = "edges.tsv";
  pairs_.files.edge_threshold = 30;
  pairs_.files.phylip = "distances.phy";
  pairs_.options.value = MatrixValue{};
  pairs_.options.statistics = no_statistics();
  const std::vector<std::pair<std::string, std::function<void(PairsJob&)>>> changes = {
      {"the sequences differ", [](PairsJob& job) { job.inputs.set = relatives_set(2, 8, 40); }},
      {"mask differs",
       [this](PairsJob& job) { job.inputs.set = two_threads_.masked(job.inputs.set, {.seg = true}); }},
      {"self differs", [](PairsJob& job) { job.options.self = true; }},
      {"mode differs", [](PairsJob& job) { job.scoring = default_scoring("global"); }},
      {"detail differs", [](PairsJob& job) { job.options.detail = Detail::score; }},
      {"outfmt differs", [](PairsJob& job) { job.files.format = OutputFormat::parse("10 std"); }},
      {"identity differs", [](PairsJob& job) { job.options.value->denominator = Denominator::longer; }},
      {"min_score differs", [](PairsJob& job) { job.options.filter.min_score = 10; }},
      {"the statistics differ",
       [](PairsJob& job) { job.options.statistics.method = StatisticsMethod::karlin; }},
      {"matrix_value differs", [](PairsJob& job) { job.options.value->kind = PairValue::score; }},
      {"edge_threshold differs", [](PairsJob& job) { job.files.edge_threshold = 31; }},
      {"output differs", [](PairsJob& job) { job.files.rows.clear(); }},
      {"matrix_out differs", [](PairsJob& job) { job.files.matrix.clear(); }},
      {"matrix_out differs", [](PairsJob& job) { job.files.matrices[PairValue::score] = "scores.npy"; }},
      {"phylip differs", [](PairsJob& job) { job.files.phylip.clear(); }},
      {"phylip_names differs", [](PairsJob& job) { job.files.phylip_names = PhylipNames::strict; }},
      {"header differs", [](PairsJob& job) { job.files.format.header = true; }},
  };
  const std::string first = some_parts(pairs_, 2, {1}).front();
  for (const auto& [message, change] : changes) {
    SCOPED_TRACE(message);
    PairsJob other = pairs_;
    change(other);
    const std::string second = some_parts(other, 2, {2}).front();
    EXPECT_THAT(merge_error({first, second}, pairs_),
                HasSubstr(first + " and " + second + " are parts of different jobs: " + message + "."));
  }
  PairsJob other = pairs_;
  other.inputs.against = pairs_.inputs.set;
  other.files.phylip.clear();
  const std::string of_two = some_parts(other, 2, {2}).front();
  EXPECT_THAT(merge_error({first, of_two}, pairs_), HasSubstr("they compute different things"));
}

// ---- Descriptions of jobs ----

// A description comes back from its text with all that it says.
TEST_F(ApiPartErrors, DescriptionsOfJobsComeBack) {
  search_.with_format("7 std score pident_min");
  search_.options.evalue = 0.3;
  search_.options.max_hsps = 3;
  search_.score_plot = true;
  PairsJob pairs = pairs_;
  pairs.with_format("10 qseqid sseqid evalue");
  pairs.files.format.header = true;
  pairs.files.matrix = "matrix.csv";
  pairs.files.matrices = {{PairValue::distance, "distances.npy"}};
  pairs.files.phylip = "distances.phy";
  pairs.files.phylip_names = PhylipNames::strict;
  pairs.files.edges = "edges.tsv";
  pairs.files.edge_threshold = 30.5;
  pairs.files.matrix_type = MatrixType::float32;
  pairs.options.value = MatrixValue{PairValue::score, Denominator::shorter};
  PairsJob two = pairs_;
  two.inputs.against = relatives_set(1, 3, 40, AlphabetKind::dna);
  two.inputs.set = relatives_set(1, 5, 40, AlphabetKind::dna);
  two.scoring = default_scoring("semiglobal", AlphabetKind::dna);
  two.scoring.free_ends = {.query_begin = true, .subject_end = true};
  two.options.strands = Strands::both;
  two.options.statistics = no_statistics();
  two.with_format("6 qseqid sseqid score");
  two.files.edges = "edges.npz";
  two.options.top_k = 2;
  two.options.value = MatrixValue{PairValue::score};
  for (const std::string& path :
       {some_parts(search_, 5, {2})[0], some_parts(pairs, 2, {1})[0], some_parts(two, 1, {1})[0]}) {
    const std::string text = chunks_of(path).at(0).bytes;
    EXPECT_EQ(jobs::Job::from_json(text).to_json(), text);
  }
}

TEST_F(ApiPartErrors, DescriptionsOfJobsThatCannotBe) {
  using Json = nlohmann::ordered_json;
  struct Change {
    std::string place, value;  // a JSON pointer and a JSON text
    bool fits = false;
    std::string other_place{}, other_value{};
  };
  const auto expect = [&](const std::string& path, const std::vector<Change>& changes) {
    Json job = Json::parse(chunks_of(path).at(0).bytes);
    job["blocks"] = Json::array({Json::array({0, job["sizes"][0], 0, job["sizes"][1]})});
    for (const Change& change : changes) {
      Json changed = job;
      changed.at(Json::json_pointer(change.place)) = Json::parse(change.value);
      if (!change.other_place.empty())
        changed.at(Json::json_pointer(change.other_place)) = Json::parse(change.other_value);
      const auto read = [&] { jobs::Job::from_json(changed.dump()); };
      EXPECT_EQ(thrown_by(read).text == "nothing was thrown", change.fits)
          << change.place << ": " << change.value;
    }
  };
  // Part 2 of 3 of a search of 4 queries and 16 subjects.
  expect(some_parts(search_, 3, {2})[0], {{"/part/0", "0"},
                                          {"/part/0", "1", true},
                                          {"/part/0", "3", true},
                                          {"/part/0", "4"},
                                          {"/part/1", "0", false, "/part/0", "0"},
                                          {"/part/1", "1"},
                                          {"/part/1", "2", true},
                                          {"/part/2", "1", true},
                                          {"/part/2", "2"},
                                          {"/part/2", "-1"},
                                          {"/blocks/0/1", "0", true},
                                          {"/blocks/0/1", "5"},
                                          {"/blocks/0/0", "4", true},
                                          {"/blocks/0/0", "5"},
                                          {"/blocks/0/0", "-1"},
                                          {"/blocks/0", "[3, 2, 0, 16]"},
                                          {"/blocks/0", "[2, 2, 16, 16]", true},
                                          {"/blocks/0/2", "17"},
                                          {"/blocks/0/3", "17"},
                                          {"/blocks/0", "[0, 4, 9, 8]"},
                                          {"/sizes/0", "4294967295", true},
                                          {"/sizes/0", "4294967296"},
                                          {"/scoring/scale", "2"},
                                          {"/scoring/scale", "2", true, "/scoring/matrix_scale", "2"},
                                          {"/scoring/scale", "20", true, "/scoring/matrix_scale", "20"},
                                          {"/scoring/scale", "15", false, "/scoring/matrix_scale", "15"},
                                          {"/scoring/scale", "7", false, "/scoring/matrix_scale", "7"},
                                          {"/scoring/scale", "0", false, "/scoring/matrix_scale", "0"},
                                          {"/scoring/open", "0", true},
                                          {"/scoring/open", "-1"},
                                          {"/scoring/open", "32767", true},
                                          {"/scoring/open", "32768"},
                                          {"/scoring/extend", "0", true},
                                          {"/scoring/extend", "-1"},
                                          {"/scoring/extend", "32767", true},
                                          {"/scoring/extend", "32768"},
                                          {"/scoring/values/0", "32767", true},
                                          {"/scoring/values/0", "32768"},
                                          {"/scoring/values/0", "-32767", true},
                                          {"/scoring/values/0", "-32768"},
                                          {"/scoring/values", "[]"},
                                          {"/max_target_seqs", "0"},
                                          {"/max_target_seqs", "1", true},
                                          {"/max_hsps", "0"},
                                          {"/max_hsps", "2"},
                                          {"/max_hsps", "2", true, "/fields/5", "true"},
                                          {"/fields/5", "true"},
                                          {"/most_candidates", "-1"},
                                          {"/outputs/max_evalue", "null", true},
                                          {"/outputs/max_evalue", "0.5", true},
                                          {"/outputs/max_evalue", "\"0.5\""},
                                          {"/outputs/columns", "[]", true},
                                          {"/outputs/columns", "[\"qseqid\", \"score\"]", true},
                                          {"/outputs/columns", "[\"qseqid\", \"nonsense\"]"},
                                          {"/outputs/columns", "[\"std\"]"},
                                          {"/fields/4", "\"both\""},
                                          {"/names/0", "[255, 0]", true},
                                          {"/names/0", "[256]"}});
  pairs_.files.matrix = "matrix.npy";
  pairs_.options.value = MatrixValue{};
  expect(some_parts(pairs_, 2, {1})[0], {{"/sizes/1", "7"},
                                         {"/sizes/0", "9"},
                                         {"/max_target_seqs", "0", true},
                                         {"/outputs/names/output/0", "\"\"", true},
                                         {"/outputs/names/output/0", "\"wanted\"", true},
                                         {"/outputs/names/output/0", "\"wanted.csv\""},
                                         {"/outputs/names/output/0", "\"rows.tsv\""},
                                         {"/outputs/names/output/1", "[[\"score\", \"wanted\"]]"},
                                         {"/outputs/names/output/1", "{}"},
                                         {"/outputs/names/matrix_out/0", "\"wanted.csv\"", true},
                                         {"/outputs/names/matrix_out/0", "\"matrix.csv\""},
                                         {"/outputs/names/matrix_out/1", "[[\"score\", \"wanted\"]]", true},
                                         {"/outputs/names/matrix_out/1", "[[\"score\", \"other\"]]"},
                                         {"/outputs/names/matrix_out/1", "[[\"nonsense\", \"wanted\"]]"},
                                         {"/outputs/names/matrix_out/1", "{}"},
                                         {"/outputs/square", "true", true},
                                         {"/outputs/square", "null"},
                                         {"/outputs/matrix_type", "null", true},
                                         {"/outputs/matrix_type", "\"int32\"", true},
                                         {"/outputs/matrix_type", "\"int\""},
                                         {"/outputs/edge_threshold", "30", true},
                                         {"/outputs/edge_threshold", "\"30\""}});
}

// The blocks of all parts follow each other and are the whole pair matrix. In a search, blocks of some of the
// subjects have one query.
TEST_F(ApiPartErrors, BlocksOfParts) {
  using Blocks = std::vector<std::array<Index, 4>>;  // rows from, to; columns from, to
  const char *const next = "does not have the pairs that come next", *const all = "do not have all pairs";
  const auto expect = [&](const std::string& clause, const std::vector<std::string>& parts,
                          const Blocks& first, const Blocks& second) {
    SCOPED_TRACE(::testing::PrintToString(first) + " and " + ::testing::PrintToString(second));
    const auto with = [&](const std::string& part, const Blocks& blocks) {
      return PartPlace{with_job(part, [&](nlohmann::ordered_json& job) { job["blocks"] = blocks; })};
    };
    const std::vector<PartPlace> places = {with(parts[0], first), with(parts[1], second)};
    expect_refusal(clause, [&] { jobs::read_heads(places, StopFlag::never()); });
  };
  const std::vector<std::string> of_search = some_parts(search_, 2, {1, 2});  // 4 queries, 16 subjects
  const std::array<Index, 4> piece{0, 1, 0, 5}, rest{0, 1, 5, 16};
  expect("", of_search, {{0, 4, 0, 16}}, {});
  expect("", of_search, {}, {{0, 4, 0, 16}});
  expect("", of_search, {{0, 3, 0, 16}}, {{3, 4, 0, 16}});
  expect("", of_search, {piece}, {rest, {1, 4, 0, 16}});
  expect("", of_search, {{0, 3, 0, 16}, {3, 4, 0, 1}}, {{3, 4, 1, 15}, {3, 4, 15, 16}});
  expect(next, of_search, {{0, 2, 0, 16}}, {{3, 4, 0, 16}});
  expect(next, of_search, {{0, 2, 0, 16}}, {{1, 4, 0, 16}});
  expect(next, of_search, {{0, 4, 1, 16}}, {});
  expect(next, of_search, {{0, 0, 0, 16}}, {{0, 4, 0, 16}});
  expect(next, of_search, {{0, 2, 0, 8}}, {{0, 2, 8, 16}, {2, 4, 0, 16}});
  expect(next, of_search, {piece}, {{0, 1, 6, 16}, {1, 4, 0, 16}});
  expect(next, of_search, {piece}, {{0, 1, 4, 16}, {1, 4, 0, 16}});
  expect(next, of_search, {piece}, {{1, 2, 5, 16}, {1, 4, 0, 16}});
  expect(next, of_search, {piece}, {{0, 4, 0, 16}});
  expect(next, of_search, {{0, 1, 0, 0}}, {{0, 4, 0, 16}});
  expect(all, of_search, {{0, 2, 0, 16}}, {{2, 3, 0, 16}});
  expect(all, of_search, {{0, 3, 0, 16}}, {{3, 4, 0, 8}});
  expect(all, of_search, {}, {});
  const std::vector<std::string> of_pairs = some_parts(pairs_, 2, {1, 2});  // 8 sequences
  expect("", of_pairs, {{0, 5, 0, 8}}, {{5, 8, 0, 8}});
  expect(next, of_pairs, {{0, 5, 0, 8}}, {{6, 8, 0, 8}});
  expect(next, of_pairs, {{0, 5, 1, 8}}, {{5, 8, 0, 8}});
  expect(all, of_pairs, {{0, 5, 0, 8}}, {{5, 7, 0, 8}});
}

// ---- Damage ----

TEST_F(ApiPartErrors, DamagedParts) {
  const std::vector<std::string> paths = some_parts(search_, 2, {1, 2}),
                                 of_pairs = some_parts(pairs_, 2, {1, 2});
  for (const bool pairs : {false, true}) {
    const std::string& other = pairs ? of_pairs[1] : paths[1];
    const std::string bytes = read_file(pairs ? of_pairs[0] : paths[0]);
    const std::string damaged = new_part();
    const auto error = [&] {
      return pairs ? merge_error({damaged, other}, pairs_) : merge_error({damaged, other}, search_);
    };
    const auto expect_error = [&](const std::string& changed, const std::string& what) {
      std::ofstream(damaged, std::ios::binary | std::ios::trunc) << changed;
      EXPECT_THAT(error(), HasSubstr(damaged + " is damaged from byte ")) << what;
    };
    const auto flip = [&](std::size_t at, int bit, const std::string& where = "") {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      expect_error(changed, "bit " + std::to_string(bit) + " of byte " + std::to_string(at) + where);
    };
    const std::size_t step = full_tests() ? 1 : bytes.size() / 40;
    for (std::size_t at = 16; at < bytes.size(); at += step) {
      flip(at, 2);
      expect_error(bytes.substr(0, at), "cut off at byte " + std::to_string(at));
    }
    for (const std::size_t header : headers_in(bytes))
      for (std::size_t at = header; at < header + 24; ++at)
        for (int bit = 0; bit < 8; bit += full_tests() ? 1 : 3)
          flip(at, bit, ", " + std::to_string(at - header) + " of a header");
    std::ofstream(damaged, std::ios::binary | std::ios::trunc) << bytes << "more";
    EXPECT_THAT(error(), HasSubstr(damaged + " is damaged from byte " + std::to_string(bytes.size())));
  }
}

// Parts whose chunks have right digests, but are missing, repeated, or too long or short for their job.
TEST_F(ApiPartErrors, ChunksThatDoNotBelongThere) {
  for (const bool pairs : {false, true}) {
    const std::vector<std::string> paths =
        pairs ? some_parts(pairs_, 2, {1, 2}) : some_parts(search_, 2, {1, 2});
    const std::vector<Chunk> chunks = chunks_of(paths[0]);
    const auto error_with = [&](const std::vector<Chunk>& others) {
      const std::string changed = new_part();
      write_chunks(changed, others);
      return pairs ? merge_error({changed, paths[1]}, pairs_) : merge_error({changed, paths[1]}, search_);
    };
    std::size_t results = 0;
    for (std::size_t k = 0; k < chunks.size(); ++k) {
      SCOPED_TRACE("chunk " + std::to_string(k));
      std::vector<Chunk> without = chunks, twice = chunks, longer = chunks, shorter = chunks;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(k));
      twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(k), chunks[k]);
      longer[k].bytes += std::string(8, 'x');
      shorter[k].bytes.resize(chunks[k].bytes.size() - 8);
      EXPECT_NE(error_with(longer), "");
      EXPECT_NE(error_with(shorter), "");
      const io::ChunkKind kind = chunks[k].kind;
      if (kind == io::ChunkKind::sequences) continue;  // another chunk may tell the same sequences
      EXPECT_NE(error_with(without), "");
      if (kind != io::ChunkKind::hits && kind != io::ChunkKind::stripe) continue;
      ++results;
      EXPECT_NE(error_with(twice), "");
    }
    EXPECT_GT(results, 0u);
  }
}

}  // namespace
}  // namespace alnus::test
