// The ledger of a run that may be interrupted and go on: what run it is, and how far its outputs are.
#pragma once

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
  // What must be the same when the run goes on: names for the user ("matrix", "SEQS") with descriptions or
  // digests.
  std::vector<std::pair<std::string, std::string>> run;
  // How the work is cut: what the run began with, it goes on with.
  double stripe_cells = 0;
  std::uint64_t memory_bytes = 0;
  // What is done and on disk.
  std::uint32_t next_row = 0;
  double left = 1;
  std::uint64_t listed = 0, empty = 0;
  OutputStates outputs;
  bool finished = false;  // the outputs have their names

  bool operator==(const Ledger&) const = default;
};

// The ledger's file in its directory.
std::string ledger_file(const std::string& directory);

// A directory with one ledger, locked against other runs for as long as this lives. Throws Error(other)
// naming the file, when it cannot be read or written or is damaged, and what DirectoryLock throws.
class LedgerDirectory {
 public:
  explicit LedgerDirectory(std::string path);  // made if it is not there

  // Empty: nothing was begun. The ledger is as it was saved: the file has a digest of what is in it.
  std::optional<Ledger> load() const;
  [[noreturn]] void refuse(
      const std::string& damage) const;  // says that the ledger is damaged, and what to do
  void save(const Ledger& ledger);  // on disk when it returns: the old one or the new one, never half of it
  const std::string& path() const { return path_; }

 private:
  std::string file() const;
  std::string path_;
  DirectoryLock lock_;
};

// The first entry in which two runs differ; null when there is none.
const std::pair<std::string, std::string>* first_difference(const Ledger& kept, const Ledger& wanted);

// The digest of names and residues, in this order; sets that follow each other have the digest of one set of
// all of them. Throws Interrupted.
std::string digest_of(std::span<const SequenceSet> sets, const StopFlag& stop = StopFlag::never());

}  // namespace alnus::io
