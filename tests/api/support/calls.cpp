#include "api/support/calls.h"

#include "alnus/query_stream.h"
#include "api/support/expected.h"

namespace alnus::test {

EveryCall::EveryCall()
    : fasta_(directory_.write_file("set.fa", fasta_of(relatives_set(3, 4, 30)))),
      database_file_(directory_.file("set.alnus")),
      set_(relatives_set(3, 4, 30)) {
  Session session(session_options(1));
  session.make_database({fasta_}, database_file_);
  part_ = directory_.file("part");
  session.search_part(set_, set_, default_scoring(), {}, search_files(), {1, 1}, part_);
  calibration_ = session.calibrate(default_scoring(), {.precision = 0.1, .length = 200});
}

SearchFiles EveryCall::search_files() const {
  return {.rows = directory_.file("rows.tsv"), .format = OutputFormat::parse("6")};
}

std::vector<NamedCall> EveryCall::of(Session& session) const {
  const Scoring scoring = default_scoring();
  const std::vector<IndexPair> pairs = {{0, 1}, {2, 3}};
  const PairInputs inputs{.set = set_};
  const PairFiles files{.rows = directory_.file("rows.tsv"), .format = OutputFormat::parse("6")};
  const auto no_rows = [](const auto&...) {};
  const std::vector<NamedCall> calls = {
      {"devices", [&session] { session.devices(); }},
      {"open", [this, &session] { session.open(fasta_); }},
      {"open of a database", [this, &session] { session.open(database_file_); }},
      {"open_search", [this, &session] { session.open_search(fasta_, database_file_); }},
      {"open_sets", [this, &session] { session.open_sets(fasta_, fasta_); }},
      {"prepare", [this, &session] { session.prepare(set_); }},
      {"release", [this, &session] { session.release(set_); }},
      {"make_database", [this, &session] { session.make_database({fasta_}, directory_.file("made.alnus")); }},
      {"verify_database", [this, &session] { session.verify_database(database_file_); }},
      {"search", [=, this, &session] { session.search(set_, set_, scoring); }},
      {"search with a sink",
       [=, this, &session] { session.search(set_, set_, scoring, SearchOptions{}, no_rows); }},
      {"align of two sequences", [=, &session] { session.align("HEAGAWGHEE", "PAWHEAE", scoring); }},
      {"align", [=, this, &session] { session.align(set_, set_, pairs, scoring); }},
      {"align with a sink",
       [=, this, &session] { session.align(set_, set_, pairs, scoring, AlignOptions{}, no_rows); }},
      {"align_all", [=, this, &session] { session.align_all(set_, set_, scoring, AlignOptions{}, no_rows); }},
      {"all_pairs of a set",
       [=, this, &session] { session.all_pairs(set_, scoring, {}, PairSink{.rows = no_rows}); }},
      {"all_pairs of two sets",
       [=, this, &session] { session.all_pairs(set_, set_, scoring, {}, PairSink{.rows = no_rows}); }},
      {"audit",
       [=, this, &session] {
         const std::vector<Database> sets = {set_, set_};
         session.audit(sets, scoring);
       }},
      {"all_pairs into files", [=, &session] { session.all_pairs(inputs, scoring, {}, files); }},
      {"search into files",
       [=, this, &session] { session.search(set_, set_, scoring, SearchOptions{}, search_files()); }},
      {"search_part",
       [=, this, &session] {
         session.search_part(set_, set_, scoring, {}, search_files(), {2, 2},
                             directory_.file("another part"));
       }},
      {"all_pairs_part",
       [=, this, &session] {
         session.all_pairs_part(inputs, scoring, {}, files, {2, 2}, directory_.file("another part"));
       }},
      {"merge",
       [this, &session] {
         session.merge(std::vector<std::string>{part_}, JobFiles{.rows = directory_.file("merged")});
       }},
      {"z_values",
       [=, this, &session] { session.z_values(set_, set_, pairs, {}, scoring, {.shuffles = 10}); }},
      {"identity_range",
       [=, this, &session] { session.identity_range(set_, set_, pairs, scoring, Denominator::alignment); }},
      {"calibrate", [=, &session] { session.calibrate(scoring, {.precision = 0.1, .length = 200}); }},
      {"add_calibration", [=, this, &session] { session.add_calibration(scoring, calibration_); }},
      {"cost_of_search", [=, this, &session] { session.cost_of_search(set_, set_, scoring, {}); }},
      {"cost_of_align",
       [=, this, &session] { session.cost_of_align(set_, set_, pairs, false, scoring, {}); }},
      {"cost_of_all_pairs", [=, &session] { session.cost_of_all_pairs(inputs, scoring, {}, files); }},
      {"OutputFile", [this, &session] { OutputFile(session, directory_.file("output")); }},
      {"QueryStream", [this, &session] { QueryStream(session, fasta_, set_); }},
  };
  return calls;
}

void expect_works(Session& session) {
  const SequenceSet set = relatives_set(5, 6, 60);
  const Scoring scoring = default_scoring();
  const ExpectedHits expected = expected_hits(set, set, scoring, 3);
  const SearchResult found =
      session.search(set, set, scoring, {.max_target_seqs = 3, .statistics = no_statistics()});
  EXPECT_TRUE(equal(found.hits.rows, expected.rows, {}, set, set, scoring));
  EXPECT_EQ(found.summary.hits, expected.rows.size());
}

}  // namespace alnus::test
