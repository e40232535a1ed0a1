#include "io/record_sorter.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <queue>
#include <utility>

#include "core/pieces.h"

namespace alnus::io {
namespace {

constexpr std::size_t kSmallestReadBuffer = 4096, kLargestReadBuffer = std::size_t{4} << 20;

}  // namespace

// Reads the records of a run one after the other, through a buffer of its own.
class RecordSorter::RunReader {
 public:
  RunReader(const SpillFile& file, Run run, std::size_t buffer_bytes)
      : file_(file), run_(run), buffer_(std::min<std::uint64_t>(buffer_bytes, run.end - run.begin)) {}

  // Goes to the next record, and reads its head; returns false at the end of the run. Header and residues of
  // the record before must have been read.
  bool next() {
    if (unread_.empty() && run_.begin == run_.end) return false;
    auto* to = reinterpret_cast<unsigned char*>(&head_);
    read(sizeof(head_),
         [&](std::span<const unsigned char> piece) { to = std::copy(piece.begin(), piece.end(), to); });
    return true;
  }
  const RecordHead& head() const { return head_; }

  template <typename Consume>
  void read(std::uint64_t bytes, Consume consume) {
    while (bytes > 0) {
      if (unread_.empty()) refill();
      const std::size_t piece = std::min<std::uint64_t>(bytes, unread_.size());
      consume(unread_.first(piece));
      unread_ = unread_.subspan(piece);
      bytes -= piece;
    }
  }

 private:
  void refill() {
    const std::size_t bytes = std::min<std::uint64_t>(buffer_.size(), run_.end - run_.begin);
    file_.read_at(run_.begin, buffer_.data(), bytes);
    run_.begin += bytes;
    unread_ = std::span(buffer_).first(bytes);
  }

  const SpillFile& file_;
  Run run_;  // the part of the run that is not in the buffer yet
  std::vector<unsigned char> buffer_;
  std::span<const unsigned char> unread_;
  RecordHead head_{};
};

RecordSorter::RecordSorter(std::uint64_t memory_bytes, std::string spill_directory, const StopFlag& stop)
    : arena_bytes_(memory_bytes / sizeof(Entry) * sizeof(Entry)),
      arena_(new unsigned char[arena_bytes_]),  // the system gives memory only as the arena fills
      spill_directory_(std::move(spill_directory)),
      stop_(stop) {}

void RecordSorter::add(const SequenceView& record) {
  if (record.size() > format::kLongestSequence || record.header.size() > format::kLongestSequence) {
    throw Error(ErrorKind::input,
                fmt::format("Record {} has {} residues and a header of {} bytes; a database "
                            "takes at most {} of either.",
                            record.id().substr(0, 100), record.size(), record.header.size(),
                            format::kLongestSequence));
  }
  if (count_ == format::kMostSequences) {
    throw Error(ErrorKind::input,
                fmt::format("The input has more than {} sequences; a database takes no more. "
                            "Split the input.",
                            format::kMostSequences));
  }
  const RecordHead head{record.size(), static_cast<std::uint32_t>(record.header.size()),
                        FileOrdinal{count_++}};
  const std::size_t bytes = sizeof(head) + record.header.size() + record.size();
  if (used_ + bytes + (entries_ + 1) * sizeof(Entry) > arena_bytes_) spill_arena();
  if (bytes + sizeof(Entry) > arena_bytes_) return spill_directly(head, record);

  unsigned char* to = arena_.get() + used_;
  std::memcpy(to, &head, sizeof(head));
  to = std::copy(record.header.begin(), record.header.end(), to + sizeof(head));
  std::copy(record.residues.begin(), record.residues.end(), to);
  ++entries_;
  index().front() = {record.size(), used_};
  used_ += bytes;
}

std::span<RecordSorter::Entry> RecordSorter::index() const {
  return {reinterpret_cast<Entry*>(arena_.get() + arena_bytes_) - entries_, entries_};
}

void RecordSorter::sort_index() {
  const auto before = [](const Entry& a, const Entry& b) {
    return a.residues != b.residues ? a.residues > b.residues : a.position < b.position;
  };
  std::sort(index().begin(), index().end(), stoppable(before, stop_));
}

SpillFile& RecordSorter::spill_file() {
  if (!spill_file_)
    spill_file_ =
        std::make_unique<SpillFile>(spill_directory_, ErrorKind::database,
                                    "Give more memory, or another directory for temporary files.", stop_);
  return *spill_file_;
}

void RecordSorter::spill_arena() {
  if (entries_ == 0) return;
  sort_index();
  SpillFile& file = spill_file();
  const std::uint64_t begin = file.size();
  for (const Entry& entry : index()) {
    RecordHead head;
    std::memcpy(&head, arena_.get() + entry.position, sizeof(head));
    file.append(arena_.get() + entry.position, sizeof(head) + head.header_bytes + head.residues);
  }
  runs_.push_back({begin, file.size()});
  used_ = entries_ = 0;
}

void RecordSorter::spill_directly(const RecordHead& head, const SequenceView& record) {
  SpillFile& file = spill_file();
  const std::uint64_t begin = file.size();
  file.append(&head, sizeof(head));
  file.append(record.header.data(), record.header.size());
  file.append(record.residues.data(), record.size());
  runs_.push_back({begin, file.size()});
}

void RecordSorter::write_to(DatabaseWriter& writer) {
  if (runs_.empty()) {
    write_arena(writer);
  } else {
    spill_arena();
    arena_.reset();  // makes room for the runs' buffers
    merge(writer);
  }
}

void RecordSorter::write_arena(DatabaseWriter& writer) {
  sort_index();
  for (const Entry& entry : index()) {
    RecordHead head;
    const unsigned char* from = arena_.get() + entry.position;
    std::memcpy(&head, from, sizeof(head));
    from += sizeof(head);
    writer.append_header({reinterpret_cast<const char*>(from), head.header_bytes});
    writer.append_residues({from + head.header_bytes, head.residues});
    writer.end_record(head.ordinal);
  }
}

void RecordSorter::merge(DatabaseWriter& writer) {
  spill_file_->flush();
  const std::size_t buffer_bytes =
      std::clamp(arena_bytes_ / runs_.size(), kSmallestReadBuffer, kLargestReadBuffer);
  std::vector<RunReader> readers;
  readers.reserve(runs_.size());
  const auto comes_later = [&](std::size_t a, std::size_t b) {
    const RecordHead &left = readers[a].head(), &right = readers[b].head();
    return left.residues != right.residues ? left.residues < right.residues : left.ordinal > right.ordinal;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(comes_later)> next(comes_later);
  for (const Run& run : runs_) {
    readers.emplace_back(*spill_file_, run, buffer_bytes);
    if (readers.back().next()) next.push(readers.size() - 1);
  }
  while (!next.empty()) {
    const std::size_t run = next.top();
    next.pop();
    RunReader& reader = readers[run];
    reader.read(reader.head().header_bytes, [&](std::span<const unsigned char> piece) {
      writer.append_header({reinterpret_cast<const char*>(piece.data()), piece.size()});
    });
    reader.read(reader.head().residues,
                [&](std::span<const unsigned char> piece) { writer.append_residues(piece); });
    writer.end_record(reader.head().ordinal);
    if (reader.next()) next.push(run);
  }
}

}  // namespace alnus::io
