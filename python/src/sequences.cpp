// Bindings of sets of sequences: making them of what Python has in memory, and their members.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alnus/database.h"
#include "alnus/error.h"
#include "alnus/text.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "lost_pages.h"
#include "texts.h"
#include "words.h"

namespace alnus::python {

std::string place_of(std::string_view what, std::size_t number, std::string_view id) {
  const std::string count = std::to_string(number);
  const std::string place = std::string(what) + "[" + count + "]";
  return id.empty() || id == count ? place : place + " (" + in_quotes(id) + ")";
}

std::string_view text_of(nb::handle object, const std::string& place) {
  const auto fail = [&](const std::string& how) { throw Error(ErrorKind::input, place + " " + how); };
  if (PyUnicode_Check(object.ptr())) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
    if (text == nullptr) {
      PyErr_Clear();
      fail("has characters that are no text.");
    }
    return {text, static_cast<std::size_t>(size)};
  }
  if (PyBytes_Check(object.ptr())) {
    char* bytes = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(object.ptr(), &bytes, &size) != 0) throw nb::python_error();
    return {bytes, static_cast<std::size_t>(size)};
  }
  const bool is_file = nb::hasattr(object, "read") || nb::hasattr(object, "__fspath__");
  fail("is " + nb::cast<std::string>(nb::handle(object.type()).attr("__name__")) + ", not str or bytes" +
       (is_file ? "; a file is given alone, not as an element." : "."));
  return {};
}

namespace {

// True for bytes that an id or a title given in Python may have: tabs, and all bytes that are no control
// characters.
bool is_of_header(char letter) {
  const auto code = static_cast<unsigned char>(letter);
  return (code >= ' ' && code != 0x7f) || letter == '\t';
}

std::string hex(char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  return {'0', 'x', kDigits[code >> 4], kDigits[code & 15]};
}

}  // namespace

void TextsBuilder::fail(const std::string& what) const {
  throw Error(ErrorKind::input, place_of(name_, builder_.size(), id_) + what);
}

void TextsBuilder::add(std::string_view id, std::string_view title, std::string_view letters) {
  id_ = id;
  header_ = id;
  if (!title.empty()) header_.append(" ").append(title);
  if (letters.starts_with('@'))
    fail(" has a header of FASTQ. Give FASTQ as a path, an open file or one str.");
  LetterCounts text;
  std::uint64_t gaps = 0, left_out = 0;
  for (const char& letter : letters) {
    if (alphabet_.is_known(letter)) continue;
    switch (kind_of(letter)) {
      case ByteKind::sign:
        ++text.signs;
        [[fallthrough]];
      case ByteKind::residue:
        if (odd_.unknown++ == 0) odd_.first_unknown = builder_.size();
        text.foreign += is_foreign(letter, alphabet_.kind()) ? 1 : 0;
        break;
      case ByteKind::digit:
        ++text.digits;
        [[fallthrough]];
      case ByteKind::blank:
        ++left_out;
        break;
      case ByteKind::gap:
        ++gaps;
        break;
      case ByteKind::marker:
        fail(std::string(" has a '") + letter +
             "', as a header of FASTA or FASTQ. Give a file as a path, an open file or one str.");
      case ByteKind::quote:
      case ByteKind::invalid:
        fail(" has " + describe_refused(letters.substr(static_cast<std::size_t>(&letter - letters.data()))) +
             ".");
    }
  }
  text.residues = letters.size() - gaps - left_out;
  const std::string wrong = wrong_record(text);
  if (!wrong.empty()) fail(": " + wrong);
  // A text that is empty, or has blanks or gaps alone, is a sequence of length 0.
  if (text.residues == text.signs && text.residues + text.digits > 0)
    fail(
        " has no letter, so that it is no sequence. Leave it out, or check if ids and sequences have changed "
        "places.");
  all_.residues += text.residues;
  all_.foreign += text.foreign;
  odd_.gaps += gaps;
  if (text.digits > 0 && has_digit_in_word(letters) && odd_.digits++ == 0)
    odd_.first_digits = builder_.size();
  const std::uint64_t columns = text.residues + gaps;
  if (builder_.size() == 0) columns_ = columns;
  is_alignment_ = is_alignment_ && columns == columns_;
  if (gaps + left_out > 0) {
    cleaned_.clear();
    for (const char letter : letters)
      if (const ByteKind kind = kind_of(letter); kind == ByteKind::residue || kind == ByteKind::sign)
        cleaned_ += letter;
    letters = cleaned_;
  }
  builder_.add_text(header_, letters);
  builder_.set_id_bytes(static_cast<std::uint32_t>(id.size()));
}

OddLetters TextsBuilder::odd() const {
  OddLetters odd = odd_;
  if (is_alignment_ && odd.gaps > 0 && builder_.size() > 1)
    odd.alignment = alignment_notice(name_, builder_.size(), columns_);
  return odd;
}

Database TextsBuilder::finish(bool stated) {
  check_foreign(all_, name_);
  // The caller tells of the unknown letters of sequences whose alphabet is stated.
  const UnknownLetters unknown = stated ? UnknownLetters() : builder_.unknown_letters();
  const Database made = Database::unstated(builder_.finish(), unknown);
  return stated ? made.stated() : made;
}

namespace {

using Texts = nb::typed<nb::list, nb::str>;

// Returns the ids or the titles of sequences, as `what` ("ids" or "titles") says; none if `texts` is None.
// Throws Error(input) if there are not `count` of them, or if one is too long or has a byte that is not
// is_of_header().
std::vector<std::string_view> labels_of(const std::optional<Texts>& texts, const char* what,
                                        std::size_t count) {
  std::vector<std::string_view> result;
  if (!texts) return result;
  if (texts->size() != count)
    throw Error(ErrorKind::input, "There are " + std::to_string(count) + " sequences and " +
                                      std::to_string(texts->size()) + " " + what + ".");
  result.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    const std::string_view label = text_of((*texts)[k], place_of(what, k, {}));
    const auto wrong = std::find_if_not(label.begin(), label.end(), is_of_header);
    if (wrong != label.end() || label.size() > kLongestSequence)
      throw Error(ErrorKind::input, std::string(what) + "[" + std::to_string(k) + "] " +
                                        (wrong == label.end() ? "is too long."
                                                              : "has the byte " + hex(*wrong) +
                                                                    ", which headers do not have."));
    result.push_back(label);
  }
  return result;
}

// Adds `count` sequences to a builder: letters(k, id) is the text of sequence k. Without ids, sequence k
// has the id "k", and `id` is empty.
template <class Letters>
void add_all(TextsBuilder& builder, std::size_t count, const std::optional<Texts>& ids,
             const std::optional<Texts>& titles, const Letters& letters) {
  const std::vector<std::string_view> of_ids = labels_of(ids, "ids", count);
  const std::vector<std::string_view> of_titles = labels_of(titles, "titles", count);
  for (std::size_t k = 0; k < count; ++k)
    builder.add(ids ? of_ids[k] : std::to_string(k), titles ? of_titles[k] : std::string_view(),
                letters(k, ids ? of_ids[k] : std::string_view()));
}

using Odd =
    std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint32_t, std::string>;

// The database, and the odd letters of its texts as a tuple of the members of OddLetters.
std::pair<Database, Odd> finished(TextsBuilder& builder, bool stated) {
  const OddLetters odd = builder.odd();
  return {builder.finish(stated),
          {odd.unknown, odd.first_unknown, odd.gaps, odd.digits, odd.first_digits, odd.alignment}};
}

// A set of texts, each a str or bytes.
std::pair<Database, Odd> of_texts(const nb::typed<nb::list, nb::any>& sequences,
                                  const std::optional<Texts>& ids, const std::optional<Texts>& titles,
                                  const std::string& alphabet, const std::string& name, bool stated) {
  TextsBuilder builder(parse_word<AlphabetKind>("alphabet", alphabet), name);
  add_all(builder, sequences.size(), ids, titles,
          [&](std::size_t k, std::string_view id) { return text_of(sequences[k], place_of(name, k, id)); });
  return finished(builder, stated);
}

// A copy of offsets that was checked: the array's memory may be changed by another thread or process at any
// time. Throws Error(input) if there are no offsets, if an offset is negative or below the one before, or if
// one is above the number of bytes.
std::vector<std::int64_t> checked_offsets(const Array<std::int64_t>& offsets, std::size_t bytes) {
  if (offsets.size() == 0) throw Error(ErrorKind::input, "The offsets are empty; they begin with 0.");
  std::vector<std::int64_t> at(offsets.data(), offsets.data() + offsets.size());
  for (std::size_t k = 0; k < at.size(); ++k)
    if (at[k] < (k == 0 ? 0 : at[k - 1]) || at[k] > static_cast<std::int64_t>(bytes))
      throw Error(ErrorKind::input, "offsets[" + std::to_string(k) + "] is " + std::to_string(at[k]) +
                                        "; offsets never fall, and end within the " + std::to_string(bytes) +
                                        " bytes.");
  return at;
}

std::string_view text_between(const Array<std::uint8_t>& bytes, std::int64_t begin, std::int64_t end) {
  return {reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::size_t>(end - begin)};
}

// A set of the sequences in `bytes`: sequence k has the bytes from offsets[k] up to before offsets[k + 1].
std::pair<Database, Odd> of_bytes(const Array<std::uint8_t>& bytes, const Array<std::int64_t>& offsets,
                                  const std::optional<Texts>& ids, const std::optional<Texts>& titles,
                                  const std::string& alphabet, const std::string& name, bool stated) {
  const std::vector<std::int64_t> at = checked_offsets(offsets, bytes.size());
  TextsBuilder builder(parse_word<AlphabetKind>("alphabet", alphabet), name);
  add_all(builder, at.size() - 1, ids, titles,
          [&](std::size_t k, std::string_view) { return text_between(bytes, at[k], at[k + 1]); });
  return finished(builder, stated);
}

// The set that was pickled, from what arrays_of(), labels() of headers, qualities_of(), ordinals_of() and
// id_bytes_of() returned for it. Throws Error(input) if these do not fit together.
Database restored(const Array<std::uint8_t>& letters, const Array<std::int64_t>& offsets,
                  const Texts& headers, const std::optional<Array<std::uint8_t>>& qualities,
                  const std::optional<Array<std::uint32_t>>& ordinals, const std::string& alphabet,
                  const std::string& name, bool stated, const std::optional<Array<std::uint32_t>>& id_bytes) {
  const std::vector<std::int64_t> at = checked_offsets(offsets, letters.size());
  const std::size_t count = at.size() - 1;
  if (headers.size() != count || (qualities && qualities->size() != letters.size()) ||
      (ordinals && ordinals->size() != count) || (id_bytes && id_bytes->size() != count))
    throw Error(ErrorKind::input, "The pickled sequences of " + name + " are damaged.");
  SequenceSetBuilder builder(parse_word<AlphabetKind>("alphabet", alphabet), name);
  std::string quality;  // a copy, which nothing changes after the builder has checked it
  for (std::size_t k = 0; k < count; ++k) {
    quality = qualities ? text_between(*qualities, at[k], at[k + 1]) : std::string_view();
    if (quality.starts_with(SequenceSet::kNoQuality)) quality.clear();
    // These headers do not go through labels_of(), which would refuse some of them: a header that was read
    // from a file may have Control-A, and an id or a title that is given in Python may not.
    builder.add_text(text_of(headers[k], place_of("ids", k, {})), text_between(letters, at[k], at[k + 1]),
                     quality);
    if (!id_bytes) continue;
    const std::uint32_t bytes = id_bytes->data()[k];
    if (bytes != SequenceView::kToFirstBlank) builder.set_id_bytes(bytes);
  }
  SequenceSet set = builder.finish();
  if (ordinals) {
    struct Kept {
      SequenceSet set;
      std::vector<FileOrdinal> ordinals;
    };
    const auto kept = std::make_shared<Kept>();
    kept->set = set;
    for (const std::uint32_t ordinal : span_of(*ordinals)) kept->ordinals.push_back(FileOrdinal{ordinal});
    std::vector<FileOrdinal> sorted = kept->ordinals;
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      throw Error(ErrorKind::input, "The pickled sequences of " + name + " are damaged.");
    SequenceSet::Arrays arrays = set.arrays();
    arrays.file_ordinals = kept->ordinals;
    set = SequenceSet(set.alphabet(), arrays, kept, set.origin());
  }
  return stated ? Database(std::move(set)) : Database::unstated(std::move(set));
}

// The word for the alphabet that guess_alphabet() gives to the letters of all these texts. Objects that are
// no texts are ignored.
std::string guess_of_texts(const nb::typed<nb::list, nb::any>& sequences) {
  std::vector<std::string_view> texts;
  for (std::size_t k = 0; k < sequences.size(); ++k)
    if (PyUnicode_Check(sequences[k].ptr()) || PyBytes_Check(sequences[k].ptr()))
      texts.push_back(text_of(sequences[k], place_of("sequences", k, {})));
  return std::string(word_of(guess_alphabet(texts)));
}

// Returns the words for the alphabets of two texts together, of the first one, and of the second one.
std::tuple<std::string, std::string, std::string> guess_of_two(nb::handle a, nb::handle b) {
  const std::array texts = {text_of(a, "a[0]"), text_of(b, "b[0]")};
  const auto guess = [](std::span<const std::string_view> some) {
    return std::string(word_of(guess_alphabet(some)));
  };
  return {guess(texts), guess({&texts[0], 1}), guess({&texts[1], 1})};
}

// True for a str or bytes of capital letters, A to Z, and nothing else. False if there are none.
bool is_of_capitals(nb::handle text) {
  const char* letters = nullptr;
  Py_ssize_t size = 0;
  if (PyUnicode_Check(text.ptr())) {
    letters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  } else if (PyBytes_Check(text.ptr())) {
    letters = PyBytes_AsString(text.ptr());
    size = PyBytes_Size(text.ptr());
  }
  if (letters == nullptr) {  // another object, or a str that has surrogates
    PyErr_Clear();
    return false;
  }
  // All letters are looked at, because the compiler then compares many of them at a time.
  const auto capitals =
      std::count_if(letters, letters + size, [](char letter) { return letter >= 'A' && letter <= 'Z'; });
  return size > 0 && capitals == size;
}

std::string guess_of_bytes(const Array<std::uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return std::string(word_of(guess_alphabet({&text, 1})));
}

SequenceView view_of(const Database& database, std::uint32_t index) {
  if (index >= database.size()) throw nb::index_error("There is no sequence of this index.");
  return database.sequences()[index];
}

// Bytes as a str. Headers are bytes, mostly UTF-8; other bytes become U+FFFD.
nb::str text(std::string_view bytes) {
  return nb::steal<nb::str>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

nb::str letters_of(const Database& database, std::uint32_t index) {
  return read_from(database, [&] {
    const Alphabet& alphabet = Alphabet::of(database.alphabet());
    std::string letters;
    for (const Residue residue : view_of(database, index).residues) letters += alphabet.decode(residue);
    return text(letters);
  });
}

// The letters of all sequences, one after the other, and the offset of each sequence in them; the last offset
// is the number of letters.
std::pair<Column<std::uint8_t>, Column<std::int64_t>> arrays_of(const Database& database) {
  const SequenceSet& set = database.sequences();
  const Alphabet& alphabet = Alphabet::of(database.alphabet());
  std::vector<std::uint8_t> letters;
  letters.reserve(set.total_residues());
  std::vector<std::int64_t> offsets = {0};
  return read_from(database, [&] {
    for (std::uint32_t k = 0; k < set.size(); ++k) {
      for (const Residue residue : set.residues(k))
        letters.push_back(static_cast<std::uint8_t>(alphabet.decode(residue)));
      offsets.push_back(static_cast<std::int64_t>(letters.size()));
    }
    return std::pair(owned(std::move(letters)), owned(std::move(offsets)));
  });
}

// The qualities of all sequences, one after the other, with SequenceSet::kNoQuality for residues without a
// quality. None if no sequence has qualities.
std::optional<Column<std::uint8_t>> qualities_of(const Database& database) {
  const SequenceSet& set = database.sequences();
  if (set.arrays().qualities.empty()) return std::nullopt;
  std::vector<std::uint8_t> qualities;
  qualities.reserve(set.total_residues());
  for (std::uint32_t k = 0; k < set.size(); ++k) {
    const SequenceView sequence = set[k];
    qualities.insert(qualities.end(), sequence.quality.begin(), sequence.quality.end());
    qualities.resize(qualities.size() + sequence.size() - sequence.quality.size(), SequenceSet::kNoQuality);
  }
  return owned(std::move(qualities));
}

// The ordinal of each sequence in its file. None if sequence k has the ordinal k.
std::optional<Column<std::uint32_t>> ordinals_of(const Database& database) {
  std::vector<std::uint32_t> ordinals;
  bool counts = true;
  for (std::uint32_t k = 0; k < database.size(); ++k) {
    ordinals.push_back(static_cast<std::uint32_t>(database.sequences().file_ordinal(k)));
    counts = counts && ordinals.back() == k;
  }
  if (counts) return std::nullopt;
  return owned(std::move(ordinals));
}

// SequenceView::id_bytes of all sequences. None if every id ends before the first blank of its header.
std::optional<Column<std::uint32_t>> id_bytes_of(const Database& database) {
  const auto id_bytes = database.sequences().arrays().id_bytes;
  if (id_bytes.empty()) return std::nullopt;
  return owned(std::vector<std::uint32_t>(id_bytes.begin(), id_bytes.end()));
}

// A member of each sequence (id, title, header), as a list of str.
template <auto kMember>
Texts labels(const Database& database) {
  return read_from(database, [&] {
    Texts all;
    for (std::uint32_t k = 0; k < database.size(); ++k)
      all.append(text(std::invoke(kMember, database.sequences()[k])));
    return all;
  });
}
template <auto kMember>
nb::str label(const Database& database, std::uint32_t index) {
  return read_from(database, [&] { return text(std::invoke(kMember, view_of(database, index))); });
}

// The indices of all sequences that have this id.
Column<std::uint32_t> places_of_id(const Database& database, const std::string& id) {
  return owned(read_from(database, [&] {
    std::vector<std::uint32_t> places;
    for (std::uint32_t k = 0; k < database.size(); ++k)
      if (database.sequences()[k].id() == id) places.push_back(k);
    return places;
  }));
}

// The same for the sequences with these indices, in the order of `indices`. A str is made once, even if its
// index is repeated.
template <auto kMember>
Texts some_labels(const Database& database, const Array<std::uint32_t>& indices) {
  return read_from(database, [&] {
    std::unordered_map<std::uint32_t, nb::object> made;
    Texts all;
    for (const std::uint32_t index : span_of(indices)) {
      const SequenceView sequence = view_of(database, index);
      nb::object& of_index = made[index];
      if (!of_index.is_valid()) of_index = text(std::invoke(kMember, sequence));
      all.append(of_index);
    }
    return all;
  });
}

Column<std::int64_t> lengths_of(const Database& database) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(database.size());
  for (std::uint32_t k = 0; k < database.size(); ++k)
    lengths.push_back(static_cast<std::int64_t>(database.sequences().length(k)));
  return owned(std::move(lengths));
}

}  // namespace

void bind_sequences(nb::module_& module) {
  nb::class_<Database>(module, "Database")
      .def_static("of_texts", &of_texts, nb::arg("sequences"), nb::arg("ids").none(),
                  nb::arg("titles").none(), nb::arg("alphabet"), nb::arg("name"), nb::arg("stated"))
      .def_static("of_bytes", &of_bytes, nb::arg("bytes"), nb::arg("offsets"), nb::arg("ids").none(),
                  nb::arg("titles").none(), nb::arg("alphabet"), nb::arg("name"), nb::arg("stated"))
      .def_static("restored", &restored, nb::arg("letters"), nb::arg("offsets"), nb::arg("headers"),
                  nb::arg("qualities").none(), nb::arg("ordinals").none(), nb::arg("alphabet"),
                  nb::arg("name"), nb::arg("stated"), nb::arg("id_bytes").none() = nb::none())
      .def("__len__", &Database::size)
      .def_prop_ro("alphabet", [](const Database& database) { return word_of(database.alphabet()); })
      .def_prop_ro("name", &Database::name)
      .def_prop_ro("residues", [](const Database& database) { return database.sequences().total_residues(); })
      .def_prop_ro("lengths", &lengths_of, nb::rv_policy::automatic)
      .def_prop_ro("ids", &labels<&SequenceView::id>)
      .def_prop_ro("titles", &labels<&SequenceView::title>)
      .def_prop_ro("headers", &labels<&SequenceView::header>)
      .def("some_ids", &some_labels<&SequenceView::id>, nb::arg("indices"))
      .def("some_titles", &some_labels<&SequenceView::title>, nb::arg("indices"))
      .def("id", &label<&SequenceView::id>, nb::arg("index"))
      .def("places_of_id", &places_of_id, nb::arg("id"), nb::rv_policy::automatic)
      .def("header", &label<&SequenceView::header>, nb::arg("index"))
      .def("letters", &letters_of, nb::arg("index"))
      .def("arrays", &arrays_of)
      .def("qualities", &qualities_of)
      .def("ordinals", &ordinals_of)
      .def("id_bytes", &id_bytes_of)
      .def(
          "find_id_with",
          [](const Database& database, const std::string& blanks) {
            return database.sequences().find_id_with(blanks);
          },
          nb::arg("blanks"))
      .def("stated", &Database::stated)
      .def_prop_ro("is_stated", &Database::is_stated)
      .def(
          "digest",
          [](const Database& database) { return read_from(database, [&] { return database.digest(); }); },
          nb::call_guard<Unlocked>())
      .def("part", &Database::part, nb::arg("begin"), nb::arg("end"))
      .def(
          "in_file_order",
          [](const Database& database) {
            return read_from(database, [&] { return database.in_file_order(); });
          },
          nb::call_guard<Unlocked>());
  module.attr("translate_first") = nb::str(translate_first().data(), translate_first().size());
  module.def("guess_of_texts", &guess_of_texts, nb::arg("sequences"));
  module.def("guess_of_two", &guess_of_two, nb::arg("a"), nb::arg("b"));
  module.def("is_of_capitals", &is_of_capitals, nb::arg("text"));
  module.def("guess_of_bytes", &guess_of_bytes, nb::arg("bytes"));
  module.def("is_database_file", &is_database_file, nb::arg("path"));
}

}  // namespace alnus::python
