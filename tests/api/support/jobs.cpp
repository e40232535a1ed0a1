#include "api/support/jobs.h"

namespace alnus::test {

Jobs::Jobs(std::uint32_t size) : set_(relatives_set(7, size, 150)) {
  const SequenceSet set = set_;
  const std::string fasta = inputs_.write_file("set.fa", fasta_of(set)), database = inputs_.file("set.alnus"),
                    made = outputs_.file("made.alnus"), rows = outputs_.file("rows.tsv"),
                    part = outputs_.file("part");
  const Scoring scoring = default_scoring();
  const SearchFiles search_files{.rows = rows, .format = OutputFormat::parse("6")};
  const PairFiles pair_files{.rows = rows, .format = OutputFormat::parse("6")};
  std::vector<std::string> of_search, of_pairs;
  {
    Session session(session_options(1));
    session.make_database({fasta}, database);
    for (std::size_t number = 1; number <= 3; ++number) {
      of_search.push_back(inputs_.file("search" + std::to_string(number)));
      of_pairs.push_back(inputs_.file("pairs" + std::to_string(number)));
      session.search_part(set, set, scoring, {}, search_files, {number, 3}, of_search.back());
      session.all_pairs_part({.set = set}, scoring, {}, pair_files, {number, 3}, of_pairs.back());
    }
  }
  const std::vector<IndexPair> pairs = every_pair(set, set);
  const auto sink_of = [](const std::function<void()>& in_sink) {
    return [in_sink](const auto&...) {
      if (in_sink) in_sink();
    };
  };
  jobs_ = {
      {"search", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         session.search(set, set, scoring, SearchOptions{}, sink_of(in_sink), run);
       }},
      {"search of a database file", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         const Session::Inputs inputs = session.open_search(fasta, database, {}, run);
         session.search(inputs.first, inputs.second, scoring, SearchOptions{}, sink_of(in_sink), run);
       }},
      {"align", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         session.align(set, set, pairs, scoring, AlignOptions{}, sink_of(in_sink), run);
       }},
      {"align_all", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         session.align_all(set, set, scoring, AlignOptions{}, sink_of(in_sink), run);
       }},
      {"all_pairs of a set", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         AllPairsOptions options;
         options.value = MatrixValue{};
         session.all_pairs(set, scoring, options, {sink_of(in_sink), sink_of(in_sink)}, run);
       }},
      {"all_pairs of two sets", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         session.all_pairs(set, set, scoring, {}, PairSink{.rows = sink_of(in_sink)}, run);
       }},
      {"all_pairs with a cutoff", true, true,
       [=](Session& session, const RunControl& run, const auto& in_sink) {
         AllPairsOptions options;
         options.value = MatrixValue{.kind = PairValue::score_distance};
         options.cutoff = 1e9;
         session.all_pairs(set, scoring, options, PairSink{.sparse = sink_of(in_sink)}, run);
       }},
      {"all_pairs into files", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         const PairFiles files{.rows = rows, .format = OutputFormat::parse("6")};
         session.all_pairs(PairInputs{.set = set}, scoring, {}, files, run);
       }},
      {"search into files", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.search(set, set, scoring, SearchOptions{}, search_files, run);
       }},
      {"search_part", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.search_part(set, set, scoring, {}, search_files, {2, 3}, part, run);
       }},
      {"all_pairs_part", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.all_pairs_part({.set = set}, scoring, {}, pair_files, {3, 3}, part, run);
       }},
      {"merge of a search", false, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.merge(of_search, JobFiles{.rows = rows}, run);
       }},
      {"merge of all pairs", false, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.merge(of_pairs, JobFiles{.rows = rows}, run);
       }},
      {"z_values", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.z_values(set, set, std::span(pairs).first(10), {}, scoring, {.shuffles = 100}, run);
       }},
      {"identity_range", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.identity_range(set, set, pairs, scoring, Denominator::alignment, run);
       }},
      {"calibrate", true, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.calibrate(scoring, {.precision = 0.1, .length = 200, .anew = true}, run);
       }},
      {"open", false, false,
       [=](Session& session, const RunControl& run, const auto&) { session.open(fasta, {}, run); }},
      {"prepare", false, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.prepare(session.open(database, {}, run), run);
       }},
      {"make_database", false, false,
       [=](Session& session, const RunControl& run, const auto&) {
         session.make_database({fasta}, made, {}, run);
       }},
      {"verify_database", false, false,
       [=](Session& session, const RunControl& run, const auto&) { session.verify_database(database, run); }},
  };
}

}  // namespace alnus::test
