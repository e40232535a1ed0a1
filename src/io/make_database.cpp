#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <new>
#include <utility>

#include "alnus/error.h"
#include "alnus/output.h"
#include "core/pieces.h"
#include "io/atomic_file.h"
#include "io/byte_source.h"
#include "io/database.h"
#include "io/database_writer.h"
#include "io/record_sorter.h"
#include "io/sequence_reader.h"

namespace alnus::io {
namespace {

// How the memory is divided: one piece of records takes a sixteenth of it, but at most kLargestPiece bytes.
// Four pieces are set aside, because a piece is freed only when the reader has read the next one, and the
// vectors of both may have grown to twice their contents. The sorter gets the rest.
constexpr std::uint64_t kPieces = 16, kPiecesInFlight = 4;
constexpr std::uint64_t kLargestPiece = 4ULL << 20;

void check_inputs(const std::vector<std::string>& inputs, const std::string& output) {
  if (inputs.empty()) throw Error(ErrorKind::input, "No input is given to build a database from.");
  check_outputs({&output, 1}, inputs);
  check_name(output, Contents::database);
  for (const std::string& input : inputs) {
    if (is_database(input)) {
      throw Error(ErrorKind::input,
                  fmt::format("{} is an alnus database already. Give FASTA or FASTQ files.", input));
    }
  }
}

DatabaseInfo build(const std::vector<std::string>& inputs, const std::string& output,
                   const MakeDatabaseOptions& options, ThreadPool& pool, ReadCounts& counts,
                   std::vector<ReadInput>& read, const StopFlag& stop) {
  const ThreadPool::Permit permit(pool, stop);
  AtomicFile file(output, ErrorKind::database);
  const std::uint64_t piece = std::clamp<std::uint64_t>(options.memory_bytes / kPieces, 1, kLargestPiece);
  const std::uint64_t in_flight = kPiecesInFlight * piece;
  const std::string directory = options.temporary_directory.empty()
                                    ? std::filesystem::path(output).parent_path().string()
                                    : options.temporary_directory;
  RecordSorter sorter(options.memory_bytes - std::min(options.memory_bytes, in_flight), directory, stop);

  RepeatedIds ids;
  format::Totals totals;
  totals.shortest = format::kLongestSequence;
  for (const std::string& input : inputs) {
    SequenceReader reader(input, alphabet_of(options.alphabet), options.masking, pool, stop);
    if (totals.sequences == 0) totals.alphabet = reader.alphabet();
    if (reader.alphabet() != totals.alphabet) {
      throw Error(ErrorKind::input,
                  fmt::format("{} looks like {} and {} does not. Say which alphabet is meant.",
                              display_name(inputs.front()), Alphabet::of(totals.alphabet).name(),
                              display_name(input)));
    }
    SequenceSet set = reader.read_some(piece);
    if (options.alphabet == AlphabetChoice::unstated && reader.resembles_dna())
      throw Error(
          ErrorKind::input,
          fmt::format("{0} looks like dna, and would become a database of proteins. Choose {1} dna, or {1} "
                      "protein if these are proteins.",
                      display_name(input), option("alphabet")));
    std::uint64_t number = 0;
    NotedRecords repeated;
    for (; !set.empty(); set = reader.read_some(piece)) {
      for (SequenceSet::Index i = 0; i < set.size(); ++i) {
        const SequenceView record = set[i];
        sorter.add(record);
        ++number;
        if (!ids.is_full() && ids.add(record.id())) repeated.add(number, record.id());
        ++totals.sequences;
        totals.residues += record.size();
        totals.header_bytes += record.header.size();
        totals.longest = std::max<std::uint64_t>(totals.longest, record.size());
        totals.shortest = std::min<std::uint64_t>(totals.shortest, record.size());
      }
    }
    counts += reader.counts();
    RecordNotes notes = reader.notes();
    notes.repeated = repeated;
    read.push_back({display_name(input), reader.counts(), reader.alignment_columns(), std::move(notes)});
  }
  if (totals.sequences == 0) {
    throw Error(ErrorKind::input,
                fmt::format("{} holds no sequences, so there is nothing to build a database of.",
                            fmt::join(inputs, ", ")));
  }
  totals.unknown_bytes = counts.unknown_bytes;

  DatabaseWriter writer(file, totals, stop);
  sorter.write_to(writer);
  DatabaseInfo info = writer.finish();
  throw_if_requested(stop);
  file.commit();
  return info;
}

}  // namespace

DatabaseInfo make_database(const std::vector<std::string>& inputs, const std::string& output,
                           const MakeDatabaseOptions& options, ThreadPool& pool, ReadCounts* counts,
                           const StopFlag& stop, std::vector<ReadInput>* read) {
  check_inputs(inputs, output);
  ReadCounts own;
  std::vector<ReadInput> own_read;
  try {
    return build(inputs, output, options, pool, counts != nullptr ? *counts : own,
                 read != nullptr ? *read : own_read, stop);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::memory,
                fmt::format("The memory does not suffice to build {} with a bound of {} bytes. "
                            "Give a smaller bound.",
                            output, options.memory_bytes));
  }
}

}  // namespace alnus::io
