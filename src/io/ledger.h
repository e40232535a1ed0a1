// The ledger of a run that may be interrupted and resumed: which run it is, and how far its outputs are.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "io/directory_lock.h"
#include "io/file_state.h"

namespace alnus::io {

using OutputStates = std::map<std::string, FileState>;  // by the names of the outputs

struct Ledger {
  // What must be the same when the run goes on: names for the user ("matrix", "SEQS"), each with a
  // description or a digest.
  std::vector<std::pair<std::string, std::string>> run;
  // How the work is cut into stripes: about how many cells a stripe has, the expected seconds of a pair and
  // of its cells (the members of engine::PairCost in their order), and the bound on memory. A resumed run
  // uses the values with which the run began.
  double stripe_cells = 0;
  std::array<double, 4> pair_cost{};
  std::uint64_t memory_bytes = 0;
  // What is done and on disk: rows of the pair matrix before `next_row`. `left` is the fraction, 0 to 1, of
  // the last stripe's pairs that passed filter and cutoff; the next stripe is planned by it. Then come
  // numbers of pairs: listed as rows of the result, not listed because their local score is 0, and edges.
  std::uint32_t next_row = 0;
  double left = 1;
  std::uint64_t listed = 0, empty = 0, edges = 0;
  OutputStates outputs;
  bool finished = false;  // all outputs have their final names

  bool operator==(const Ledger&) const = default;
};

// The name of the ledger's file in a directory.
std::string ledger_file(const std::string& directory);

// A directory with one ledger, locked against other runs as long as this object lives. Throws Error(other)
// naming the file if the ledger cannot be read or written or is damaged, and what DirectoryLock throws.
class LedgerDirectory {
 public:
  explicit LedgerDirectory(std::string path);  // makes the directory if it is missing

  // The saved ledger, checked by the digest of its contents; empty if no run was begun here.
  std::optional<Ledger> load() const;
  [[noreturn]] void refuse(
      const std::string& damage) const;  // says that the ledger is damaged, and what to do
  void save(const Ledger& ledger);       // on disk on return; a crash leaves the old ledger or the new one
  const std::string& path() const { return path_; }

 private:
  std::string file() const;
  std::string path_;
  DirectoryLock lock_;
};

// The first entry in which two runs differ; null if there is none.
const std::pair<std::string, std::string>* first_difference(const Ledger& kept, const Ledger& wanted);

// The digest of headers and residues, in the order of the sequences. Several sets have the same digest as one
// set of all their sequences. Throws Interrupted.
std::string digest_of(std::span<const SequenceSet> sets, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io
