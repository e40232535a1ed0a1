// Sorts records by decreasing length in bounded memory. Records of equal length stay in their order of
// arrival.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"
#include "core/stop_flag.h"
#include "io/database_writer.h"
#include "io/spill_file.h"

namespace alnus::io {

// External merge sort. Records are collected from the front of an arena of fixed size, and their index grows
// from its back. When the two meet, the records go to a spill file as a sorted run.
class RecordSorter {
 public:
  // `memory_bytes` bounds the arena. All functions throw what SpillFile and DatabaseWriter throw, Interrupted
  // while they sort, and Error(input) for more or longer records than a database takes.
  RecordSorter(std::uint64_t memory_bytes, std::string spill_directory,
               const StopFlag& stop = StopFlag::never());

  void add(const SequenceView& record);
  // Hands over all records in order. Must be called once, after the last add().
  void write_to(DatabaseWriter& writer);

 private:
  struct RecordHead {
    std::uint64_t residues;
    std::uint32_t header_bytes;
    FileOrdinal ordinal;
  };
  struct Entry {  // an entry of the arena's index
    std::uint64_t residues;
    std::uint64_t position;  // byte of the record's head in the arena; increases with the order of arrival
  };
  struct Run {
    std::uint64_t begin, end;  // bytes in the spill file
  };
  class RunReader;

  std::span<Entry> index() const;
  void sort_index();
  void spill_arena();
  void spill_directly(const RecordHead& head, const SequenceView& record);
  SpillFile& spill_file();
  void write_arena(DatabaseWriter& writer);
  void merge(DatabaseWriter& writer);

  std::size_t arena_bytes_;
  std::unique_ptr<unsigned char[]> arena_;  // records from the front, entries from the back
  std::size_t used_ = 0;                    // bytes of records in the arena
  std::size_t entries_ = 0;
  std::string spill_directory_;
  const StopFlag& stop_;
  std::unique_ptr<SpillFile> spill_file_;
  std::vector<Run> runs_;
  SequenceSet::Index count_ = 0;
};

}  // namespace alnus::io
