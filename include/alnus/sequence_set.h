// Many sequences in flat arrays: read from FASTA, or mapped from a database file.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

// One sequence of a set, whose memory the set owns.
struct ALNUS_API SequenceView {
  static constexpr std::uint32_t kToFirstBlank = std::numeric_limits<std::uint32_t>::max();

  std::span<const Residue> residues;
  std::string_view header;  // the whole line after '>' or '@', without line end
  // The qualities of a FASTQ record, if they were kept: a character for each residue, which is the Phred
  // score + 33 ('!' to '~'). Else empty.
  std::string_view quality{};
  // The number of bytes with which the id ends in the header, or kToFirstBlank. Files have ids without
  // blanks; a program may give ids that have some (SequenceSetBuilder::set_id_bytes).
  std::uint32_t id_bytes = kToFirstBlank;

  std::size_t size() const { return residues.size(); }
  std::string_view id() const;     // header up to the first blank, or its first `id_bytes`
  std::string_view title() const;  // header after the id and the blanks that follow it
};

// The most residues that a sequence may have, because coordinates are std::int32_t.
inline constexpr std::size_t kLongestSequence = std::numeric_limits<std::int32_t>::max();

// The number of a record, from 0, in the file or files that its set came from. It decides between equal hits.
enum class FileOrdinal : std::uint32_t {};

// A set of sequences. Immutable and cheap to copy: copies share the memory that they view (vectors or a
// mapped file).
class ALNUS_API SequenceSet {
 public:
  using Index = std::uint32_t;
  static constexpr char kNoQuality = ' ';  // in Arrays::qualities, for residues without qualities

  // Flat arrays of `count` sequences.
  struct Arrays {
    std::span<const Residue> residues;
    std::span<const std::uint64_t> offsets;  // count + 1 indices in `residues`, which other sets may share
    std::span<const char> headers;
    std::span<const std::uint64_t> header_offsets;  // count + 1 indices in `headers`
    std::span<const FileOrdinal> file_ordinals;     // count entries, or empty if stored in file order
    // As many entries as residues, or empty; kNoQuality for each residue of a sequence without qualities.
    std::span<const char> qualities{};
    // SequenceView::id_bytes of each sequence, or empty: every id ends before the first blank.
    std::span<const std::uint32_t> id_bytes{};
  };

  SequenceSet() = default;
  // Takes the arrays unchecked; `owner` keeps their memory alive. Every residue must be a code of the
  // alphabet, with or without kLowerCase, and no sequence may be longer than kLongestSequence. With other
  // residues, results depend on the device.
  SequenceSet(AlphabetKind alphabet, Arrays arrays, std::shared_ptr<const void> owner, std::string origin);

  Index size() const { return count_; }
  bool empty() const { return count_ == 0; }
  AlphabetKind alphabet() const { return alphabet_; }
  const std::string& origin() const { return origin_; }  // file name, for messages and reports
  std::uint64_t total_residues() const {
    return count_ == 0 ? 0 : arrays_.offsets[count_] - arrays_.offsets.front();
  }
  std::size_t longest() const { return longest_; }
  const Arrays& arrays() const { return arrays_; }

  std::size_t length(Index i) const { return arrays_.offsets[i + 1] - arrays_.offsets[i]; }
  std::span<const Residue> residues(Index i) const {
    return arrays_.residues.subspan(arrays_.offsets[i], length(i));
  }
  SequenceView operator[](Index i) const;
  // The first sequence whose id has one of these characters, which must be blanks or tabs; empty if there is
  // none. Takes no time unless ids with blanks were given.
  std::optional<Index> find_id_with(std::string_view blanks) const;
  FileOrdinal file_ordinal(Index i) const {
    return arrays_.file_ordinals.empty() ? FileOrdinal{first_ordinal_ + i} : arrays_.file_ordinals[i];
  }

  // The sequences [begin, end) of this set, which share its memory and keep their ordinals.
  SequenceSet part(Index begin, Index end) const;
  // The same sequences, stored in the order of the file that they came from.
  SequenceSet in_file_order() const;

 private:
  AlphabetKind alphabet_ = AlphabetKind::protein;
  Arrays arrays_;
  Index count_ = 0;
  Index first_ordinal_ = 0;  // the first sequence's ordinal, if the set is stored in file order
  std::size_t longest_ = 0;
  std::shared_ptr<const void> owner_;
  std::string origin_;
};

// A query by its index in one set, and a subject by its index in another set or in the same one. Pairs are
// ordered by query, then subject.
struct IndexPair {
  SequenceSet::Index query = 0, subject = 0;
  auto operator<=>(const IndexPair&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Letters outside the alphabet that were read as X or N.
struct UnknownLetters {
  std::uint64_t letters = 0;
  std::uint32_t records = 0;  // how many records have such letters
  std::uint32_t first = 0;    // index of the first record that has such letters
};

// Collects records and hands them over as a SequenceSet. A function that adds a record throws Error(input) if
// the set has too many records already, if the record is longer than kLongestSequence, or if its quality is
// neither empty nor as SequenceView::quality says. The builder is then as it was before.
class ALNUS_API SequenceSetBuilder {
 public:
  explicit SequenceSetBuilder(AlphabetKind alphabet, std::string origin = {});
  // Adds residues, which are codes of the alphabet, with or without kLowerCase. Throws Error(input) naming
  // the record, the position and the residue for any other byte.
  void add(std::string_view header, std::span<const Residue> residues, std::string_view quality = {});
  // Adds letters, which it encodes: unknown ones become X or N. For tests and bindings.
  void add_text(std::string_view header, std::string_view letters, std::string_view quality = {});
  // Adds sequence i of another set, whose residues are not checked again. Throws Error(input) if that set has
  // another alphabet.
  void add_from(const SequenceSet& set, SequenceSet::Index i);
  // Says that the id of the record that was added last is the first `bytes` of its header, blanks included.
  // Throws Error(input) naming the record if the header is shorter. Formats that cannot hold such an id are
  // refused with Error(input) when the set is written.
  void set_id_bytes(std::uint32_t bytes);
  std::uint32_t size() const;
  // The letters outside the alphabet that add_text() has read as X or N, in all records added so far.
  UnknownLetters unknown_letters() const;
  SequenceSet finish();  // leaves the builder empty

 private:
  struct ALNUS_LOCAL Storage;
  void check(std::string_view header, std::size_t length, std::string_view quality) const;
  void append(const SequenceView& sequence);
  [[noreturn]] void fail(std::string_view header, const std::string& what) const;

  AlphabetKind alphabet_;
  std::string origin_;
  std::shared_ptr<Storage> storage_;
};

}  // namespace alnus
