// Several threads search a database that stays loaded, each thread with one query after the other. They share
// one session, and with it the devices, the threads and the memory.
//
//   $ query_loop data/proteins.fasta data/queries.fasta
//   sp|P69905|HBA_HUMAN: Hemoglobin subunit beta OS=Homo sapiens
//   sp|P01111|RASN_HUMAN: Ras-like protein 1 OS=Candida albicans P76055 GN=MGO_02387 PE=4 SV=1
//   sp|P14942|GSTA4_RAT: Protein CBG03453 OS=Caenorhabditis briggsae GN=CBG03453 PE=3 SV=1
#include <alnus/alnus.h>
#include <atomic>
#include <future>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "Usage: query_loop DATABASE QUERIES\n";
    return 1;
  }
  alnus::Session session;
  const auto [queries, database] = session.open_search(argv[2], argv[1]);
  const alnus::Scoring scoring = alnus::make_scoring({});
  session.prepare(database);  // starts the devices; the first search brings the sequences to GPUs

  std::vector<std::string> answers(queries.size());
  std::atomic<alnus::Database::Index> next = 0;
  const auto answer_queries = [&, &queries = queries, &database = database] {
    for (alnus::Database::Index i = next++; i < queries.size(); i = next++) {
      const alnus::SearchResult best =
          session.search(queries.part(i, i + 1), database, scoring, {.max_target_seqs = 1});
      answers[i] = best.hits.rows.size() == 0
                       ? "nothing"
                       : std::string(database.sequences()[best.hits.rows.subject[0]].title());
    }
  };
  std::vector<std::future<void>> threads;
  for (int i = 0; i < 4; ++i) threads.push_back(std::async(std::launch::async, answer_queries));
  for (std::future<void>& thread : threads) thread.get();  // throws what a search threw

  for (alnus::Database::Index i = 0; i < queries.size(); ++i)
    std::cout << queries.sequences()[i].id() << ": " << answers[i] << '\n';
  const alnus::SessionCounters counters = session.counters();
  std::cerr << counters.calls << " calls, " << counters.uploads << " uploads to GPUs\n";
  return 0;
} catch (const alnus::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
