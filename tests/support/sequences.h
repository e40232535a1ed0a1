// Sequences for tests: random, repetitive, and related ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/alphabet.h"
#include "alnus/sequence_set.h"

namespace alnus::test {

using Residues = std::vector<Residue>;
using Random = std::mt19937;  // the same numbers everywhere, unlike distributions

inline std::size_t below(Random& random, std::size_t limit) { return random() % limit; }

inline Residues encode(std::string_view letters, AlphabetKind kind = AlphabetKind::protein) {
  Residues residues(letters.size());
  std::ranges::transform(letters, residues.begin(), [&](char c) { return Alphabet::of(kind).encode(c); });
  return residues;
}

inline std::string decode(std::span<const Residue> residues, AlphabetKind kind = AlphabetKind::protein) {
  std::string letters;
  for (const Residue residue : residues) letters += Alphabet::of(kind).decode(residue);
  return letters;
}

inline Residues repeat(std::string_view letters, std::size_t length) {
  const Residues unit = encode(letters);
  Residues residues(length);
  for (std::size_t k = 0; k < length; ++k) residues[k] = unit[k % unit.size()];
  return residues;
}

inline Residues concatenate(std::initializer_list<Residues> parts) {
  Residues all;
  for (const Residues& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Returns random codes from 0 to `letters` - 1, all equally frequent.
inline Residues random_sequence(Random& random, std::size_t length, std::size_t letters = 20) {
  Residues residues(length);
  for (Residue& residue : residues) residue = static_cast<Residue>(below(random, letters));
  return residues;
}

inline Residues without_case(std::span<const Residue> residues) {
  Residues result(residues.begin(), residues.end());
  for (Residue& residue : result) residue &= kCodeMask;
  return result;
}

inline Residues with_random_case(Random& random, Residues residues) {
  for (Residue& residue : residues) residue |= below(random, 2) ? kLowerCase : 0;
  return residues;
}

// Returns a relative. Of 3 * `spacing` residues, on average one begins a deletion that an insertion follows,
// and one an insertion alone, each of 1 to `longest_gap` residues. Five are replaced by random residues.
inline Residues relative(Random& random, const Residues& ancestor, std::size_t spacing,
                         std::size_t longest_gap) {
  Residues residues;
  for (std::size_t k = 0; k < ancestor.size(); ++k) {
    const std::size_t event = below(random, 3 * spacing);
    if (event == 0) k += 1 + below(random, longest_gap);
    if (event <= 1) {
      const Residues inserted = random_sequence(random, 1 + below(random, longest_gap));
      residues.insert(residues.end(), inserted.begin(), inserted.end());
    }
    if (k < ancestor.size())
      residues.push_back(event < 5 ? static_cast<Residue>(below(random, 20)) : ancestor[k]);
  }
  return residues;
}

inline SequenceSet make_set(std::span<const Residues> sequences, AlphabetKind kind = AlphabetKind::protein) {
  SequenceSetBuilder builder(kind);
  for (std::size_t k = 0; k < sequences.size(); ++k) builder.add(fmt::format("s{}", k), sequences[k]);
  return builder.finish();
}

}  // namespace alnus::test
