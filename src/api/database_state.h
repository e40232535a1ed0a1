// What stays with a database from call to call.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

#include "alnus/database.h"
#include "core/sorted_sequences.h"
#include "core/thread_pool.h"

namespace alnus {

namespace api {
class FileCheck;
}

struct Database::State {
  // What is odd in sequences in memory, until a call warns of it. All databases that are made of the same
  // sequences share it, so that it is said once.
  struct Oddity {
    std::string origin;
    ReadCounts counts;
    std::atomic_flag told{};
  };

  SequenceSet sequences;
  std::string name;
  std::vector<std::string> files;  // that its sequences were read from; of memory none
  // How it was read from them:
  bool alphabet_stated = true;  // by the user: nothing is guessed or doubted
  ReadCounts counts;
  std::vector<std::shared_ptr<Oddity>> oddities;
  Masking masking;
  std::string file_digest;                              // that the header of its database file has
  std::vector<std::shared_ptr<api::FileCheck>> checks;  // of the files that its sequences come from
  std::optional<bool> resembles_dna;                    // before it was masked; empty: not looked at yet

  // Its order by length, made when it is first needed, by one thread; if that is stopped, by another one that
  // waits for it. Throws Interrupted when `stop` is requested.
  const std::shared_ptr<const SortedSequences>& sorted(const StopFlag& stop = StopFlag::never());
  bool looks_like_dna();
  // True the first time, whatever the queries: what is odd about these subjects is said once.
  bool to_be_warned_of_as_subjects();

  // What is made of the sequences when it is first needed. Databases of the same sequences share it: devices
  // find what they hold by it.
  struct Prepared {
    std::mutex mutex;
    // The process of which a thread is at it; after fork() not this one. Others look from time to time: a
    // child could not even destroy a condition variable that threads of its parent waited for.
    pid_t sorting = 0;
    std::shared_ptr<const SortedSequences> sorted;
    std::once_flag digesting;
    std::string digest;
  };
  std::shared_ptr<Prepared> prepared = std::make_shared<Prepared>();

  std::mutex mutex;
  bool warned_as_subjects = false;
};

namespace api {

// As Database::in_file_order() and Database::extended(), with their errors. Both throw Interrupted when
// `stop` is requested.
Database in_file_order(const Database& database, const StopFlag& stop);
Database extended(const Database& database, const Database& more, const StopFlag& stop);

// The sequences with residues of their own, masked on the threads of `pool`; `counts` is added to. Throws
// Error(input) for masking that the alphabet does not have, and Interrupted when `stop` is requested.
Database masked(const Database& database, const Masking& masking, MaskCounts& counts, ThreadPool& pool,
                const StopFlag& stop);

}  // namespace api
}  // namespace alnus
