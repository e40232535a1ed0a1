// Many sequences in flat arrays: read from FASTA, or mapped from a database file.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/export.h"

namespace alnus {

struct ALNUS_API SequenceView {
  std::span<const Residue> residues;
  std::string_view header;  // the whole line after '>' or '@', without line end
  // Of FASTQ, if it was kept: a character for each residue, which is the Phred score + 33 ('!' to '~'). Else
  // empty.
  std::string_view quality{};
  std::size_t size() const { return residues.size(); }
  std::string_view id() const;     // header up to the first blank
  std::string_view title() const;  // header after the id and the blanks that follow it
};

// So many residues a sequence has at most: coordinates are std::int32_t.
inline constexpr std::size_t kLongestSequence = std::numeric_limits<std::int32_t>::max();

// A sequence's place in the file that it came from, which decides ties between equal hits.
enum class FileOrdinal : std::uint32_t {};

// Immutable and cheap to copy: copies share what they view (vectors or a mapped file).
class ALNUS_API SequenceSet {
 public:
  using Index = std::uint32_t;
  static constexpr char kNoQuality = ' ';  // in Arrays::qualities, where a sequence has no qualities

  struct Arrays {
    std::span<const Residue> residues;
    std::span<const std::uint64_t> offsets;  // count + 1, into residues; other sets may use some of them
    std::span<const char> headers;
    std::span<const std::uint64_t> header_offsets;  // count + 1, into headers
    std::span<const FileOrdinal> file_ordinals;     // count, or empty when stored in file order
    // As many as residues, or empty; kNoQuality for each residue of a sequence without qualities.
    std::span<const char> qualities{};
  };

  SequenceSet() = default;
  // Takes the arrays unchecked: every residue must be a code of the alphabet, with or without kLowerCase, and
  // no sequence longer than kLongestSequence. With other residues, results depend on the device.
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
  FileOrdinal file_ordinal(Index i) const {
    return arrays_.file_ordinals.empty() ? FileOrdinal{first_ordinal_ + i} : arrays_.file_ordinals[i];
  }

  // Consecutive sequences of this set, [begin, end), which share its memory and keep their ordinals.
  SequenceSet part(Index begin, Index end) const;
  // The same sequences, stored in the order of the file that they came from.
  SequenceSet in_file_order() const;

 private:
  AlphabetKind alphabet_ = AlphabetKind::protein;
  Arrays arrays_;
  Index count_ = 0;
  Index first_ordinal_ = 0;  // of a set that is stored in file order, its first sequence's ordinal
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

// Collects records and hands them over as a SequenceSet. What adds a record throws Error(input) for one that
// is too many or longer than kLongestSequence, or whose quality is neither empty nor what
// SequenceView::quality says, and then the builder is as before.
class ALNUS_API SequenceSetBuilder {
 public:
  explicit SequenceSetBuilder(AlphabetKind alphabet, std::string origin = {});
  // The residues are codes of the alphabet, with or without kLowerCase. Throws Error(input) naming the
  // record, the position and the residue for any other byte.
  void add(std::string_view header, std::span<const Residue> residues, std::string_view quality = {});
  // Encodes the letters; for tests and bindings.
  void add_text(std::string_view header, std::string_view letters, std::string_view quality = {});
  // Sequence i of another set, whose residues are not checked again. Throws Error(input) for a set of another
  // alphabet.
  void add_from(const SequenceSet& set, SequenceSet::Index i);
  std::uint32_t size() const;
  // How many letters outside the alphabet add_text() has read as X or N, in the records of size().
  std::uint64_t unknown_letters() const;
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
