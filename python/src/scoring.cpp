// Bindings of substitution matrices and scorings.
#include "alnus/scoring.h"

#include <cstddef>
#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "words.h"

namespace alnus::python {
namespace {

// The scores of a matrix in its own units, as an array [query's letter][subject's letter].
Numbers values_of(const SubstitutionMatrix& matrix) {
  const auto letters = static_cast<std::size_t>(Alphabet::of(matrix.alphabet()).matrix_letters());
  NewArray<double> values(letters * letters, "The matrix");
  for (std::size_t q = 0; q < letters; ++q)
    for (std::size_t s = 0; s < letters; ++s)
      values.data()[q * letters + s] =
          static_cast<double>(matrix.value(static_cast<Residue>(q), static_cast<Residue>(s))) /
          matrix.scale();
  return values.finish({letters, letters});
}

Scoring make(const std::string& alphabet, const std::string& preset, const std::string& mode,
             const std::string& matrix, const std::string& matrix_text, const std::string& match,
             const std::string& mismatch, const std::string& gap_open, const std::string& gap_extend,
             const std::string& gap_convention, const std::optional<std::vector<std::string>>& free_ends) {
  ScoringOptions options;
  options.alphabet = parse_word<AlphabetKind>("alphabet", alphabet);
  options.preset = preset;
  options.mode = mode;
  options.matrix = matrix;
  options.matrix_text = matrix_text;
  options.match = match;
  options.mismatch = mismatch;
  options.gap_open = gap_open;
  options.gap_extend = gap_extend;
  options.gap_convention = gap_convention;
  options.free_ends = free_ends;
  return make_scoring(options);
}

}  // namespace

void bind_scoring(nb::module_& module) {
  nb::class_<SubstitutionMatrix>(module, "Matrix")
      .def_static("builtin", [](const std::string& name) { return SubstitutionMatrix::builtin(name); })
      .def_static("builtin_names", &SubstitutionMatrix::builtin_names)
      .def_static("parse",
                  [](const std::string& text, const std::string& origin, const std::string& alphabet) {
                    return SubstitutionMatrix::parse(text, origin,
                                                     parse_word<AlphabetKind>("alphabet", alphabet));
                  })
      .def_prop_ro("name", &SubstitutionMatrix::name)
      .def_prop_ro("alphabet", [](const SubstitutionMatrix& matrix) { return word_of(matrix.alphabet()); })
      .def_prop_ro("letters",
                   [](const SubstitutionMatrix& matrix) {
                     const Alphabet& alphabet = Alphabet::of(matrix.alphabet());
                     return std::string(
                         alphabet.letters().substr(0, static_cast<std::size_t>(alphabet.matrix_letters())));
                   })
      .def_prop_ro("values", &values_of, nb::rv_policy::automatic)
      .def_prop_ro("symmetric", &SubstitutionMatrix::symmetric);

  nb::class_<Scoring>(module, "Scoring")
      .def_static("make", &make, nb::kw_only(), nb::arg("alphabet"), nb::arg("preset"), nb::arg("mode"),
                  nb::arg("matrix"), nb::arg("matrix_text"), nb::arg("match"), nb::arg("mismatch"),
                  nb::arg("gap_open"), nb::arg("gap_extend"), nb::arg("gap_convention"),
                  nb::arg("free_ends").none())
      .def_ro("matrix", &Scoring::matrix)
      .def_prop_ro("alphabet", [](const Scoring& scoring) { return word_of(scoring.matrix.alphabet()); })
      .def_prop_ro("mode", [](const Scoring& scoring) { return std::string(to_string(scoring.mode)); })
      .def_prop_ro("gaps",
                   [](const Scoring& scoring) {
                     return std::pair(static_cast<double>(scoring.open) / scoring.scale,
                                      static_cast<double>(scoring.extend) / scoring.scale);
                   })
      .def_prop_ro("free_ends",
                   [](const Scoring& scoring) {
                     std::vector<std::string> ends;
                     for (const auto& [word, member] : kWords<bool FreeEnds::*>)
                       if (scoring.free_ends.*member) ends.emplace_back(word);
                     return ends;
                   })
      .def_ro("scale", &Scoring::scale)
      .def("equals", [](const Scoring& one, const Scoring& other) { return one == other; });
}

}  // namespace alnus::python
