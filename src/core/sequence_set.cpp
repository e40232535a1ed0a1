#include "alnus/sequence_set.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "core/file_order.h"

namespace alnus {

std::string_view SequenceView::id() const {
  if (id_bytes != kToFirstBlank) return header.substr(0, id_bytes);
  const auto is_blank = [](char letter) { return letter == ' ' || letter == '\t'; };
  return {header.begin(), std::find_if(header.begin(), header.end(), is_blank)};
}

std::string_view SequenceView::title() const {
  const std::size_t begin = header.find_first_not_of(" \t", id().size());
  return begin == std::string_view::npos ? std::string_view{} : header.substr(begin);
}

SequenceSet::SequenceSet(AlphabetKind alphabet, Arrays arrays, std::shared_ptr<const void> owner,
                         std::string origin)
    : alphabet_(alphabet),
      arrays_(arrays),
      count_(static_cast<Index>(arrays.offsets.size() - 1)),
      owner_(std::move(owner)),
      origin_(std::move(origin)) {
  for (Index i = 0; i < count_; ++i) longest_ = std::max(longest_, length(i));
}

SequenceView SequenceSet::operator[](Index i) const {
  const std::uint64_t begin = arrays_.header_offsets[i], end = arrays_.header_offsets[i + 1];
  SequenceView view{residues(i), {arrays_.headers.data() + begin, end - begin}};
  if (!arrays_.qualities.empty()) {
    const std::string_view quality{arrays_.qualities.data() + arrays_.offsets[i], view.size()};
    if (!quality.starts_with(kNoQuality)) view.quality = quality;
  }
  if (!arrays_.id_bytes.empty()) view.id_bytes = arrays_.id_bytes[i];
  return view;
}

std::optional<SequenceSet::Index> SequenceSet::find_id_with(std::string_view blanks) const {
  if (arrays_.id_bytes.empty()) return std::nullopt;
  for (Index i = 0; i < count_; ++i)
    if ((*this)[i].id().find_first_of(blanks) != std::string_view::npos) return i;
  return std::nullopt;
}

SequenceSet SequenceSet::part(Index begin, Index end) const {
  const bool in_file_order = arrays_.file_ordinals.empty();
  const Arrays arrays{
      arrays_.residues,
      arrays_.offsets.subspan(begin, end - begin + std::size_t{1}),
      arrays_.headers,
      arrays_.header_offsets.subspan(begin, end - begin + std::size_t{1}),
      in_file_order ? arrays_.file_ordinals : arrays_.file_ordinals.subspan(begin, end - begin),
      arrays_.qualities,
      arrays_.id_bytes.empty() ? arrays_.id_bytes : arrays_.id_bytes.subspan(begin, end - begin)};
  SequenceSet result(alphabet_, arrays, owner_, origin_);
  if (in_file_order) result.first_ordinal_ = first_ordinal_ + begin;
  return result;
}

SequenceSet SequenceSet::in_file_order() const { return alnus::in_file_order(*this, StopFlag::never()); }

struct SequenceSetBuilder::Storage {
  std::vector<Residue> residues;
  std::vector<std::uint64_t> offsets{0};
  std::vector<char> headers;
  std::vector<std::uint64_t> header_offsets{0};
  std::vector<char> qualities;          // ends with the last sequence that has qualities
  std::vector<std::uint32_t> id_bytes;  // ends with the last sequence whose id has blanks
  UnknownLetters unknown;
};

SequenceSetBuilder::SequenceSetBuilder(AlphabetKind alphabet, std::string origin)
    : alphabet_(alphabet), origin_(std::move(origin)), storage_(std::make_shared<Storage>()) {}

void SequenceSetBuilder::add(std::string_view header, std::span<const Residue> residues,
                             std::string_view quality) {
  check(header, residues.size(), quality);
  const Alphabet& alphabet = Alphabet::of(alphabet_);
  const int letters = alphabet.size();
  const auto code = [](Residue residue) { return static_cast<Residue>(residue & ~kLowerCase); };
  Residue highest = 0;  // found without a branch, so that the compiler takes many residues at a time
  for (const Residue residue : residues) highest = std::max(highest, code(residue));
  if (highest >= letters) {
    const auto odd =
        std::ranges::find_if(residues, [&](Residue residue) { return code(residue) >= letters; });
    fail(header,
         fmt::format("the residue with index {} is {}, which is no code of the {} alphabet. These are 0 "
                     "to {}, with {} added for a lower-case letter.",
                     odd - residues.begin(), *odd, alphabet.name(), letters - 1, kLowerCase));
  }
  append({residues, header, quality});
}

void SequenceSetBuilder::append(const SequenceView& sequence) {
  const auto& [residues, header, quality, id_bytes] = sequence;
  Storage& s = *storage_;
  if (s.offsets.size() > std::numeric_limits<SequenceSet::Index>::max())
    throw Error(ErrorKind::input,
                fmt::format("{} has more than {} sequences; split it.", origin_, s.offsets.size() - 1));
  if (!quality.empty()) {
    s.qualities.resize(s.residues.size(), SequenceSet::kNoQuality);
    s.qualities.insert(s.qualities.end(), quality.begin(), quality.end());
  }
  s.residues.insert(s.residues.end(), residues.begin(), residues.end());
  s.offsets.push_back(s.residues.size());
  s.headers.insert(s.headers.end(), header.begin(), header.end());
  s.header_offsets.push_back(s.headers.size());
  if (id_bytes != SequenceView::kToFirstBlank) set_id_bytes(id_bytes);
}

void SequenceSetBuilder::add_text(std::string_view header, std::string_view letters,
                                  std::string_view quality) {
  check(header, letters.size(), quality);
  const Alphabet& alphabet = Alphabet::of(alphabet_);
  std::vector<Residue> residues(letters.size());
  std::transform(letters.begin(), letters.end(), residues.begin(),
                 [&](char letter) { return alphabet.encode(letter); });
  append({residues, header, quality});
  const auto unknown = static_cast<std::uint64_t>(
      std::ranges::count_if(letters, [&](char letter) { return !alphabet.is_known(letter); }));
  if (unknown == 0) return;
  UnknownLetters& all = storage_->unknown;
  if (all.records++ == 0) all.first = size() - 1;
  all.letters += unknown;
}

void SequenceSetBuilder::add_from(const SequenceSet& set, SequenceSet::Index i) {
  const SequenceView sequence = set[i];
  if (set.alphabet() != alphabet_)
    fail(sequence.header, fmt::format("it is of the {} alphabet, and the others are of the {} alphabet.",
                                      Alphabet::of(set.alphabet()).name(), Alphabet::of(alphabet_).name()));
  append(sequence);
}

void SequenceSetBuilder::set_id_bytes(std::uint32_t bytes) {
  Storage& s = *storage_;
  const std::size_t begin = size() == 0 ? 0 : s.header_offsets[size() - 1];
  const SequenceView last{{}, {s.headers.data() + begin, s.headers.size() - begin}};
  if (bytes > last.header.size() || bytes == SequenceView::kToFirstBlank)
    throw Error(ErrorKind::input,
                fmt::format("{}ecord {}: the id has {} bytes, and the header has {}.",
                            origin_.empty() ? "R" : origin_ + ", r", size(), bytes, last.header.size()));
  if (last.id().size() == bytes) return;
  s.id_bytes.resize(size(), SequenceView::kToFirstBlank);
  s.id_bytes.back() = bytes;
}

void SequenceSetBuilder::check(std::string_view header, std::size_t length, std::string_view quality) const {
  if (length > kLongestSequence)
    fail(header, fmt::format("the sequence is longer than {} letters. Split it.", kLongestSequence));
  const bool is_text = std::ranges::all_of(quality, [](char byte) { return byte > ' ' && byte <= '~'; });
  if (!is_text || (!quality.empty() && quality.size() != length))
    fail(header,
         fmt::format("the sequence has {} letters and {} qualities{}. Give one from '!' to '~' for "
                     "each letter, or none.",
                     length, quality.size(), is_text ? "" : ", some of which are no such characters"));
}

void SequenceSetBuilder::fail(std::string_view header, const std::string& what) const {
  const std::string_view id = SequenceView{{}, header}.id();
  throw Error(ErrorKind::input,
              fmt::format("{}ecord {}{}: {}", origin_.empty() ? "R" : origin_ + ", r", size() + 1,
                          id.empty() ? "" : fmt::format(" ({})", in_quotes(id)), what));
}

std::uint32_t SequenceSetBuilder::size() const {
  return static_cast<std::uint32_t>(storage_->offsets.size() - 1);
}

UnknownLetters SequenceSetBuilder::unknown_letters() const { return storage_->unknown; }

SequenceSet SequenceSetBuilder::finish() {
  const std::shared_ptr<Storage> s = std::exchange(storage_, std::make_shared<Storage>());
  if (!s->qualities.empty()) s->qualities.resize(s->residues.size(), SequenceSet::kNoQuality);
  if (!s->id_bytes.empty()) s->id_bytes.resize(s->offsets.size() - 1, SequenceView::kToFirstBlank);
  return SequenceSet(alphabet_,
                     {s->residues, s->offsets, s->headers, s->header_offsets, {}, s->qualities, s->id_bytes},
                     s, origin_);
}

}  // namespace alnus
