// Bindings of sets of sequences: making them of what Python has in memory, and their members.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "alnus/database.h"
#include "alnus/error.h"
#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "texts.h"
#include "words.h"

namespace alnus::python {

std::string_view text_of(nb::handle object, std::string_view what, std::size_t number) {
  const auto fail = [&](const std::string& how) {
    throw Error(ErrorKind::input, std::string(what) + "[" + std::to_string(number) + "] " + how);
  };
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
  fail("is " + nb::cast<std::string>(nb::handle(object.type()).attr("__name__")) + ", not str or bytes.");
  return {};
}

namespace {

// True for bytes that a header may have: tabs, and all bytes that are no control characters.
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
  throw Error(ErrorKind::input, name_ + "[" + std::to_string(builder_.size()) + "]" + what);
}

void TextsBuilder::add(std::string_view header, std::string_view letters) {
  LetterCounts text;
  std::uint64_t gaps = 0, left_out = 0;
  for (const char letter : letters) {
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
             "', with which a record of a file begins. Give the letters of one sequence, or open the file.");
      case ByteKind::invalid:
        fail(" has the byte " + hex(letter) + ", which is no letter.");
    }
  }
  text.residues = letters.size() - gaps - left_out;
  const std::string wrong = wrong_record(text);
  if (!wrong.empty()) fail(": " + wrong);
  all_.residues += text.residues;
  all_.foreign += text.foreign;
  odd_.gaps += gaps;
  const std::uint64_t columns = text.residues + gaps;
  if (builder_.size() == 0) columns_ = columns;
  is_alignment_ = is_alignment_ && columns == columns_;
  if (gaps + left_out == 0) return builder_.add_text(header, letters);
  cleaned_.clear();
  for (const char letter : letters)
    if (const ByteKind kind = kind_of(letter); kind == ByteKind::residue || kind == ByteKind::sign)
      cleaned_ += letter;
  builder_.add_text(header, cleaned_);
}

OddLetters TextsBuilder::odd() const {
  OddLetters odd = odd_;
  if (is_alignment_ && odd.gaps > 0 && builder_.size() > 1)
    odd.alignment = alignment_notice(name_, builder_.size(), columns_);
  return odd;
}

Database TextsBuilder::finish(bool stated) {
  check_foreign(all_, name_);
  const std::uint64_t unknown = builder_.unknown_letters();
  return stated ? Database(builder_.finish()) : Database::unstated(builder_.finish(), unknown);
}

namespace {

using Texts = nb::typed<nb::list, nb::str>;

// The texts of `headers` without leading blanks; none if there are no headers. Throws Error(input) if there
// are not `count` of them, or if one has a byte that a header may not have.
std::vector<std::string_view> headers_of(const std::optional<Texts>& headers, std::size_t count) {
  std::vector<std::string_view> result;
  if (!headers) return result;
  if (headers->size() != count)
    throw Error(ErrorKind::input, "There are " + std::to_string(count) + " sequences and " +
                                      std::to_string(headers->size()) + " ids.");
  result.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    std::string_view header = text_of((*headers)[k], "ids", k);
    header.remove_prefix(std::min(header.find_first_not_of(" \t"), header.size()));
    const auto wrong = std::find_if_not(header.begin(), header.end(), is_of_header);
    if (wrong != header.end())
      throw Error(ErrorKind::input, "ids[" + std::to_string(k) + "] has the byte " + hex(*wrong) +
                                        ", which an id may not have.");
    result.push_back(header);
  }
  return result;
}

using Odd = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, std::string>;

// The database, and the odd letters of its texts as a tuple of the members of OddLetters.
std::pair<Database, Odd> finished(TextsBuilder& builder, bool stated) {
  const OddLetters odd = builder.odd();
  return {builder.finish(stated), {odd.unknown, odd.first_unknown, odd.gaps, odd.alignment}};
}

// A set of texts, each a str or bytes. Without headers, sequence k has the header "k".
std::pair<Database, Odd> of_texts(const nb::typed<nb::list, nb::any>& sequences,
                                  const std::optional<Texts>& headers, const std::string& alphabet,
                                  const std::string& name, bool stated) {
  const std::vector<std::string_view> of_all = headers_of(headers, sequences.size());
  TextsBuilder builder(alphabet_of(alphabet), name);
  for (std::size_t k = 0; k < sequences.size(); ++k)
    builder.add(headers ? of_all[k] : std::to_string(k), text_of(sequences[k], name, k));
  return finished(builder, stated);
}

// Throws Error(input) if there are no offsets, if an offset is negative or below the one before, or if one is
// above the number of bytes.
void check_offsets(const Array<std::int64_t>& offsets, std::size_t bytes) {
  if (offsets.size() == 0) throw Error(ErrorKind::input, "The offsets are empty; they begin with 0.");
  const std::int64_t* const at = offsets.data();
  for (std::size_t k = 0; k < offsets.size(); ++k)
    if (at[k] < (k == 0 ? 0 : at[k - 1]) || at[k] > static_cast<std::int64_t>(bytes))
      throw Error(ErrorKind::input, "offsets[" + std::to_string(k) + "] is " + std::to_string(at[k]) +
                                        "; offsets never fall, and end within the " + std::to_string(bytes) +
                                        " bytes.");
}

std::string_view text_between(const Array<std::uint8_t>& bytes, std::int64_t begin, std::int64_t end) {
  return {reinterpret_cast<const char*>(bytes.data()) + begin, static_cast<std::size_t>(end - begin)};
}

// A set of the sequences in `bytes`: sequence k has the bytes from offsets[k] up to before offsets[k + 1].
// Without headers, sequence k has the header "k".
std::pair<Database, Odd> of_bytes(const Array<std::uint8_t>& bytes, const Array<std::int64_t>& offsets,
                                  const std::optional<Texts>& headers, const std::string& alphabet,
                                  const std::string& name, bool stated) {
  check_offsets(offsets, bytes.size());
  const std::size_t count = offsets.size() - 1;
  const std::vector<std::string_view> of_all = headers_of(headers, count);
  TextsBuilder builder(alphabet_of(alphabet), name);
  const std::int64_t* const at = offsets.data();
  for (std::size_t k = 0; k < count; ++k)
    builder.add(headers ? of_all[k] : std::to_string(k), text_between(bytes, at[k], at[k + 1]));
  return finished(builder, stated);
}

// The set that was pickled, from what arrays_of(), headers_of_all(), qualities_of() and ordinals_of()
// returned for it. Throws Error(input) if these do not fit together.
Database restored(const Array<std::uint8_t>& letters, const Array<std::int64_t>& offsets,
                  const Texts& headers, const std::optional<Array<std::uint8_t>>& qualities,
                  const std::optional<Array<std::uint32_t>>& ordinals, const std::string& alphabet,
                  const std::string& name, bool stated) {
  check_offsets(offsets, letters.size());
  const std::size_t count = offsets.size() - 1;
  if (headers.size() != count || (qualities && qualities->size() != letters.size()) ||
      (ordinals && ordinals->size() != count))
    throw Error(ErrorKind::input, "The pickled sequences of " + name + " are damaged.");
  SequenceSetBuilder builder(alphabet_of(alphabet), name);
  const std::int64_t* const at = offsets.data();
  for (std::size_t k = 0; k < count; ++k) {
    std::string_view quality = qualities ? text_between(*qualities, at[k], at[k + 1]) : std::string_view();
    if (quality.starts_with(SequenceSet::kNoQuality)) quality = {};
    // A file's header may have bytes that an id given in Python may not have.
    builder.add_text(text_of(headers[k], "ids", k), text_between(letters, at[k], at[k + 1]), quality);
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
      texts.push_back(text_of(sequences[k], "sequences", k));
  return word_of(guess_alphabet(texts));
}

std::string guess_of_bytes(const Array<std::uint8_t>& bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return word_of(guess_alphabet({&text, 1}));
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
  const Alphabet& alphabet = Alphabet::of(database.alphabet());
  std::string letters;
  for (const Residue residue : view_of(database, index).residues) letters += alphabet.decode(residue);
  return text(letters);
}

// The letters of all sequences, one after the other, and the offset of each sequence in them; the last offset
// is the number of letters.
std::pair<Column<std::uint8_t>, Column<std::int64_t>> arrays_of(const Database& database) {
  const SequenceSet& set = database.sequences();
  const Alphabet& alphabet = Alphabet::of(database.alphabet());
  std::vector<std::uint8_t> letters;
  letters.reserve(set.total_residues());
  std::vector<std::int64_t> offsets = {0};
  for (std::uint32_t k = 0; k < set.size(); ++k) {
    for (const Residue residue : set.residues(k))
      letters.push_back(static_cast<std::uint8_t>(alphabet.decode(residue)));
    offsets.push_back(static_cast<std::int64_t>(letters.size()));
  }
  return {owned(std::move(letters)), owned(std::move(offsets))};
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

Texts ids_of(const Database& database) {
  Texts ids;
  for (std::uint32_t k = 0; k < database.size(); ++k) ids.append(text(database.sequences()[k].id()));
  return ids;
}

// The ids of the sequences with these indices, in the order of `indices`. The str of an id is made once, even
// if its index is repeated.
Texts some_ids_of(const Database& database, const Array<std::uint32_t>& indices) {
  std::unordered_map<std::uint32_t, nb::object> made;
  Texts ids;
  for (const std::uint32_t index : span_of(indices)) {
    const std::string_view id = view_of(database, index).id();
    nb::object& of_index = made[index];
    if (!of_index.is_valid()) of_index = text(id);
    ids.append(of_index);
  }
  return ids;
}

Texts headers_of_all(const Database& database) {
  Texts headers;
  for (std::uint32_t k = 0; k < database.size(); ++k) headers.append(text(database.sequences()[k].header));
  return headers;
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
      .def_static("of_texts", &of_texts, nb::arg("sequences"), nb::arg("headers").none(), nb::arg("alphabet"),
                  nb::arg("name"), nb::arg("stated"))
      .def_static("of_bytes", &of_bytes, nb::arg("bytes"), nb::arg("offsets"), nb::arg("headers").none(),
                  nb::arg("alphabet"), nb::arg("name"), nb::arg("stated"))
      .def_static("restored", &restored, nb::arg("letters"), nb::arg("offsets"), nb::arg("headers"),
                  nb::arg("qualities").none(), nb::arg("ordinals").none(), nb::arg("alphabet"),
                  nb::arg("name"), nb::arg("stated"))
      .def("__len__", &Database::size)
      .def_prop_ro("alphabet", [](const Database& database) { return word_of(database.alphabet()); })
      .def_prop_ro("name", &Database::name)
      .def_prop_ro("residues", [](const Database& database) { return database.sequences().total_residues(); })
      .def_prop_ro("lengths", &lengths_of, nb::rv_policy::automatic)
      .def_prop_ro("ids", &ids_of)
      .def_prop_ro("headers", &headers_of_all)
      .def("some_ids", &some_ids_of, nb::arg("indices"))
      .def(
          "id",
          [](const Database& database, std::uint32_t index) { return text(view_of(database, index).id()); },
          nb::arg("index"))
      .def(
          "header",
          [](const Database& database, std::uint32_t index) { return text(view_of(database, index).header); },
          nb::arg("index"))
      .def("letters", &letters_of, nb::arg("index"))
      .def("arrays", &arrays_of)
      .def("qualities", &qualities_of)
      .def("ordinals", &ordinals_of)
      .def("stated", &Database::stated)
      .def_prop_ro("is_stated", &Database::is_stated)
      .def("digest", &Database::digest, nb::call_guard<Unlocked>())
      .def("part", &Database::part, nb::arg("begin"), nb::arg("end"))
      .def("in_file_order", &Database::in_file_order, nb::call_guard<Unlocked>());
  module.attr("translate_first") = nb::str(kTranslateFirst.data(), kTranslateFirst.size());
  module.def("guess_of_texts", &guess_of_texts, nb::arg("sequences"));
  module.def("guess_of_bytes", &guess_of_bytes, nb::arg("bytes"));
  module.def("is_database_file", &is_database_file, nb::arg("path"));
}

}  // namespace alnus::python
