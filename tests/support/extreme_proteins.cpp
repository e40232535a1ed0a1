#include "support/extreme_proteins.h"

#include <array>
#include <fmt/format.h>

#include "alnus/statistics.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

constexpr std::size_t kCore = 20;

class Proteins {
 public:
  explicit Proteins(unsigned seed) : random_(seed), letters_(seed), runs_(seed) {}

  struct Named {
    const char* kind;
    Residues residues;
  };
  Named next() {
    constexpr std::size_t kKinds = 14;
    const std::size_t kind = count_ % kKinds;
    round_ = count_++ / kKinds;
    switch (kind) {
      case 0:
      case 7:
        return {"one letter", Residues(length(), letter_of(runs_++))};
      case 1:
        return {"two letters", two_letters()};
      case 2:
        return round_ % 4 == 1 ? Named{"empty", {}} : Named{"length 1", {letter()}};
      case 3:
        return {"two letters in blocks", two_blocks()};
      case 4:
        return {"repeat", repeated()};
      case 5:
        return round_ % 2 == 0 ? Named{"X", Residues(length(), code('X'))} : Named{"others", others()};
      case 6:
        return {"nineteen letters", nineteen()};
      case 8:
        return {"excess", excess()};
      case 9:
        return {"background", background(length())};
      case 10:
        return {"W or C", Residues(length(), code(round_ % 2 == 0 ? 'W' : 'C'))};
      case 11:
        return {"one letter in a protein", inserted()};
      case 12:
        return {"both cases", with_random_case(random_, round_ % 2 == 0 ? excess() : two_letters())};
      default:
        return long_one();
    }
  }

 private:
  static Residue code(char letter) { return Alphabet::protein().encode(letter); }

  // Returns a length from 1 to 40, sometimes of hundreds.
  std::size_t length() {
    return below(random_, 16) == 0 ? 100 + below(random_, 300) : 1 + below(random_, 40);
  }
  static Residue letter_of(std::size_t turn) {
    return static_cast<Residue>(turn % static_cast<std::size_t>(Alphabet::protein().size()));
  }
  Residue letter() { return letter_of(letters_++); }
  Residue other() { return static_cast<Residue>(below(random_, kCore)); }

  Named long_one() {
    if (round_ % 8 == 0) return {"long background", background(round_ == 0 ? 5000 : 1500)};
    if (round_ % 8 == 4) return {"long W", Residues(3000, code('W'))};
    if (round_ % 8 == 6) return {"long repeat", repeat("PQ", 1000)};
    return {"excess", excess()};
  }

  // The share of the first letter is 0 to 10 tenths.
  Residues two_letters() {
    const Residue first = letter(), second = other();
    const std::size_t tenths = below(random_, 11);
    Residues residues(length());
    for (Residue& residue : residues) residue = below(random_, 10) < tenths ? first : second;
    return residues;
  }
  Residues two_blocks() {
    const std::size_t all = length(), some = below(random_, all + 1);
    return concatenate({Residues(some, letter()), Residues(all - some, other())});
  }
  Residues repeated() {
    const Residues unit = random_sequence(random_, 2 + round_ % 6);
    Residues residues(length());
    for (std::size_t k = 0; k < residues.size(); ++k) residues[k] = unit[k % unit.size()];
    return residues;
  }
  Residues others() {
    constexpr std::array kLetters = {'B', 'Z', 'J', 'U', 'O', '*', 'X'};
    Residues residues(length());
    for (Residue& residue : residues) residue = code(kLetters[below(random_, kLetters.size())]);
    return residues;
  }
  Residues nineteen() {
    Residues residues = background(length());
    const auto missing = static_cast<Residue>(round_ % kCore);
    for (Residue& residue : residues)
      if (residue == missing) residue = static_cast<Residue>((missing + 1) % kCore);
    return residues;
  }
  // The share of one letter is at least 80% to 99%.
  Residues excess() {
    const std::size_t percent = 80 + below(random_, 20);
    const Residue most = letter();
    Residues residues = background(length());
    for (Residue& residue : residues)
      if (below(random_, 100) < percent) residue = most;
    return residues;
  }
  Residues inserted() {
    Residues residues = background(length());
    const Residues run(1 + below(random_, 30), letter());
    residues.insert(residues.begin() + static_cast<std::ptrdiff_t>(residues.size() / 2), run.begin(),
                    run.end());
    return residues;
  }
  Residues background(std::size_t length) {
    constexpr std::size_t kParts = 1 << 20;
    Residues residues(length);
    for (Residue& residue : residues) {
      double rest = static_cast<double>(below(random_, kParts)) / kParts;
      residue = 0;
      while (residue + 1u < kCore && rest >= frequencies_[residue]) rest -= frequencies_[residue++];
    }
    return residues;
  }

  Random random_;
  const Background frequencies_ = default_background(AlphabetKind::protein);
  std::size_t letters_, runs_;  // count the turns of letters, and of letters of runs
  std::size_t count_ = 0, round_ = 0;
};

}  // namespace

SequenceSet extreme_proteins(unsigned seed, std::uint32_t count) {
  Proteins proteins(seed);
  SequenceSetBuilder builder(AlphabetKind::protein, "extremes");
  for (std::uint32_t k = 0; k < count; ++k) {
    const auto [kind, residues] = proteins.next();
    builder.add(fmt::format("s{} {}", k, kind), residues);
  }
  return builder.finish();
}

}  // namespace alnus::test
