// The state of a Database, which its copies share and which lasts from call to call.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "alnus/database.h"
#include "core/once.h"
#include "core/sorted_sequences.h"
#include "core/thread_pool.h"
#include "io/database.h"
#include "io/phylip_names.h"

namespace alnus {

namespace session {
class FileCheck;
}

struct Database::State {
  // Odd letters and records in sequences that came from memory. The first call that takes the sequences warns
  // of them; all databases made from the same sequences share this object, so that no second call warns.
  struct Oddity {
    io::ReadInput read;
    std::atomic_flag told{};
  };

  SequenceSet sequences;
  std::string name;
  std::vector<std::string> files;  // the files that the sequences were read from; empty: from memory
  // How the sequences were read:
  bool alphabet_stated = true;  // the user stated the alphabet: calls do not doubt it
  ReadCounts counts;
  // If the database is one record of a stream (QueryStream): the number of the record there, from 1. Else 0.
  std::uint64_t record = 0;
  std::uint64_t alignment_columns = 0;  // io::SequenceParser::alignment_columns() of the file
  io::RecordNotes notes;                // of the file
  std::vector<std::shared_ptr<Oddity>> oddities;
  Masking masking;
  std::string file_digest;  // the digest in the header of the database file, or empty
  std::vector<std::shared_ptr<session::FileCheck>>
      checks;                         // checks of the database files behind the sequences
  std::optional<bool> resembles_dna;  // by the unmasked letters; empty: not known yet

  // The sequences sorted by decreasing length. The first call sorts them, on one thread; other threads wait.
  // If that call is stopped, a waiting thread sorts them instead. Throws Interrupted when `stop` is
  // requested.
  const std::shared_ptr<const SortedSequences>& sorted(const StopFlag& stop = StopFlag::never());
  // Throws Error(database) if bytes of a file of the sequences are gone, so that zeros were read.
  bool looks_like_dna();
  void require_sound() const;  // throws that error, too; called before what was read is kept
  // The length of the sequence that a residue is part of, on average over all residues; computed once.
  double length_by_residue();

  // Derived data, made when first needed. Databases of the same sequences share one object, so that sequences
  // are sorted once, and devices find those that they hold already (same_sequences()).
  struct Prepared {
    Once sorting;
    std::shared_ptr<const SortedSequences> sorted;
    Once digesting;
    std::string digest;
    Once measuring;
    double length_by_residue = 0;
    Once sam_queries, sam_subjects;  // done once check_row_output() has found the names fit for SAM
    struct PhylipNames {
      Once checking;
      io::ReplacedNames replaced;
    };
    std::array<PhylipNames, 2> phylip_names;  // by alnus::PhylipNames: what io::check_phylip_names() found
    struct PartDigest {
      Once digesting;
      std::string digest;
    };
    std::array<PartDigest, 4> part_digests;  // digest_of() of jobs/part_sequences.h keeps its results here
  };
  std::shared_ptr<Prepared> prepared = std::make_shared<Prepared>();

  std::mutex mutex;
  // A warning about these subjects is given once, whatever the queries.
  std::atomic_flag warned_as_subjects{}, told_of_one_place{};
};

namespace session {

// The same as Database::in_file_order() and Database::extended(), with their errors; both also throw
// Interrupted when `stop` is requested.
Database in_file_order(const Database& database, const StopFlag& stop);
Database extended(const Database& database, const Database& more, const StopFlag& stop);

// A copy of the sequences with masked residues, made on the threads of `pool`. Adds what was masked to
// `counts`. Throws Error(input) for masking that the alphabet does not have, and Interrupted when `stop` is
// requested.
Database masked(const Database& database, const Masking& masking, MaskCounts& counts, ThreadPool& pool,
                const StopFlag& stop);

}  // namespace session
}  // namespace alnus
