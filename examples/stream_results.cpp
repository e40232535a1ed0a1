// Prints all similar pairs of sequences in a file while they are found, and the progress on standard error.
// Ctrl-C cancels the call, not the process.
//
//   $ stream_results data/proteins.fasta 45
//   sp|P68871|HBB_HUMAN sp|P02135|HBB_LITCT 73 of 138 identical
//   sp|P02135|HBB_LITCT tr|A8WV37|A8WV37_CAEBR 10 of 19 identical
//   tr|A0A0A6IPL0|A0A0A6IPL0_CANAX sp|P02232|LGB1_VICFA 8 of 17 identical
//   tr|A8WV37|A8WV37_CAEBR sp|P02232|LGB1_VICFA 6 of 13 identical
//   tr|A0A0A6IPL0|A0A0A6IPL0_CANAX tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 290 of 291 identical
//   sp|P02232|LGB1_VICFA tr|A0A0A3CGA7|A0A0A3CGA7_CANAX 8 of 17 identical
//   tr|A0A0A6IPL0|A0A0A6IPL0_CANAX sp|P05013|IFNA6_HUMAN 6 of 13 identical
//   sp|P02232|LGB1_VICFA sp|P05013|IFNA6_HUMAN 5 of 8 identical
//   tr|A0A0A3CGA7|A0A0A3CGA7_CANAX sp|P05013|IFNA6_HUMAN 6 of 13 identical
//   sp|P02144|MYG_HUMAN tr|Q8I9R9|Q8I9R9_SARSC 8 of 17 identical
//   tr|K4G713|K4G713_CALMI tr|Q8I9R9|Q8I9R9_SARSC 6 of 13 identical
//   11 of 55 pairs
#include <alnus/alnus.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stop_token>
#include <string>

namespace {
volatile std::sig_atomic_t interrupted = 0;
}

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "Usage: stream_results SEQUENCES PERCENT\n";
    return 1;
  }
  std::signal(SIGINT, [](int) { interrupted = 1; });  // the library installs no handlers of signals

  // Callbacks run on this thread. Any thread may request the stop.
  std::stop_source stop;
  alnus::RunControl run{.stop = stop.get_token()};
  run.on_progress = [&](const alnus::Progress& progress) {
    if (interrupted != 0) stop.request_stop();
    std::cerr << alnus::format_count(progress.pairs_done) << " pairs, "
              << alnus::format_seconds(progress.seconds_left) << " left\n";
  };

  alnus::Session session;
  // All pairs number the sequences in the order of their file. A database file stores them in another order.
  const alnus::Database set = session.open(argv[1]).in_file_order();
  alnus::AllPairsOptions options;
  options.filter.min_identity = std::atof(argv[2]);
  const auto print_rows = [&](const alnus::Columns& rows, const std::string& /*statistics*/) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string query(set.sequences()[rows.query[i]].id());
      const std::string subject(set.sequences()[rows.subject[i]].id());
      std::printf("%s\t%s\t%d of %d identical\n", query.c_str(), subject.c_str(), rows.identical[i],
                  rows.length[i]);
    }
  };
  const alnus::AllPairsSummary summary =
      session.all_pairs(set, alnus::make_scoring({}), options, {.rows = print_rows}, run);
  std::printf("%s of %s pairs\n", alnus::format_count(summary.listed).c_str(),
              alnus::format_count(summary.pairs).c_str());
  return 0;
} catch (const alnus::Interrupted&) {
  std::cerr << "Cancelled.\n";
  return 130;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
