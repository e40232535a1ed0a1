#include "bench/data.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/text.h"
#include "io/output_file.h"
#include "io/row_text.h"

namespace alnus::bench {
namespace {

using Index = SequenceSet::Index;
using Random = std::mt19937_64;  // the C++ standard fixes its numbers, but not those of distributions

constexpr std::uint64_t kSeed = 20;

// A random number from 0 to limit - 1, where limit is 1 to 2^32. Probabilities differ by at most 2^-32.
std::uint64_t below(Random& random, std::uint64_t limit) { return (random() >> 32) * limit >> 32; }

// Calls fill(subject, random) for every subject. Each block of subjects has its own generator, so that the
// number of threads makes no difference.
template <typename Fill>
void fill_subjects(Index subjects, ThreadPool& threads, const Fill& fill) {
  constexpr std::size_t kBlock = 1024;
  threads.for_each((subjects + kBlock - 1) / kBlock, [&](std::size_t block) {
    Random random(kSeed + 1 + block);
    const std::size_t end = std::min<std::size_t>((block + 1) * kBlock, subjects);
    for (std::size_t i = block * kBlock; i < end; ++i) fill(static_cast<Index>(i), random);
  });
}

// Sequences whose lengths are known, and whose residues are filled in later.
struct Storage {
  std::vector<Residue> residues;
  std::vector<std::uint64_t> offsets{0};
  std::vector<char> headers;
  std::vector<std::uint64_t> header_offsets{0};

  void add(std::string_view prefix, std::size_t length) {
    offsets.push_back(offsets.back() + length);
    fmt::format_to(std::back_inserter(headers), "{}_{}", prefix, header_offsets.size());
    header_offsets.push_back(headers.size());
  }
  std::span<Residue> subject(Index i) {
    return std::span(residues).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

SequenceSet finish(std::shared_ptr<const Storage> storage, const SequenceSet& source) {
  const Storage& s = *storage;
  return {source.alphabet(),
          {s.residues, s.offsets, s.headers, s.header_offsets, {}},
          std::move(storage),
          source.origin()};
}

void check(const SequenceSet& source) {
  if (source.total_residues() == 0)
    throw Error(ErrorKind::database, fmt::format("{} has no residues to draw from.", source.origin()));
}

// The source's sequences in the order of its file.
std::vector<Index> in_file_order(const SequenceSet& source) {
  std::vector<Index> sequences(source.size());
  std::iota(sequences.begin(), sequences.end(), Index{0});
  std::ranges::sort(sequences, {}, [&](Index i) { return source.file_ordinal(i); });
  return sequences;
}

void shuffle(std::span<Residue> residues, Random& random) {
  for (std::size_t k = residues.size(); k > 1; --k) std::swap(residues[k - 1], residues[below(random, k)]);
}

// Fills `residues` with the sequence, which begins again after its last residue.
void repeat(std::span<const Residue> sequence, std::span<Residue> residues) {
  for (std::size_t k = 0; k < residues.size(); ++k) residues[k] = sequence[k % sequence.size()];
}

// Draws `count` sequences with replacement and orders them by decreasing length.
std::vector<Index> draw(const SequenceSet& source, const std::vector<Index>& sequences, Index count) {
  Random random(kSeed);
  std::vector<Index> drawn(count);
  for (Index& sequence : drawn) sequence = sequences[below(random, sequences.size())];
  std::ranges::stable_sort(drawn, std::greater{}, [&](Index i) { return source.length(i); });
  return drawn;
}

// Lengths that add up to `residues`, in proportion to the lengths of the drawn sequences. longest: see
// drawn_subjects().
std::vector<std::size_t> cut_lengths(const SequenceSet& source, const std::vector<Index>& drawn,
                                     std::uint64_t residues, std::uint64_t longest) {
  std::vector<std::size_t> lengths;
  std::uint64_t total = 0, before = 0;
  for (const Index i : drawn) total += source.length(i);
  if (longest > 0 && longest + drawn.size() <= residues + 1) {
    lengths.push_back(longest);
    residues -= longest;
    total -= source.length(drawn.front());
  }
  std::uint64_t given = 0;
  for (std::size_t i = lengths.size(); i < drawn.size(); ++i) {
    before += source.length(drawn[i]);
    const std::uint64_t wanted = before * residues / total - given;
    lengths.push_back(longest > 0 ? std::min(wanted, longest) : wanted);
    given += lengths.back();
  }
  std::ranges::sort(lengths, std::greater{});  // rounding may have changed their order
  return lengths;
}

// A table with the residues in nearly the proportions of the source: a random entry is a random residue.
using Composition = std::array<Residue, 1 << 16>;

Composition composition(const SequenceSet& source) {
  std::array<std::uint64_t, 256> counts{};
  for (const Residue residue : source.arrays().residues) ++counts[residue];
  Composition table{};
  std::uint64_t below = counts[0];
  Residue residue = 0;
  for (std::size_t k = 0; k < table.size(); ++k) {
    const std::uint64_t rank = (2 * k + 1) * source.total_residues() / (2 * table.size());
    while (rank >= below) below += counts[++residue];
    table[k] = residue;
  }
  return table;
}

}  // namespace

void check_memory(std::uint64_t subjects, std::uint64_t residues, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kOffsetsAndHeader = 32;
  const std::uint64_t bytes = residues + subjects * kOffsetsAndHeader;
  if (bytes > memory_bytes)
    throw Error(ErrorKind::memory, fmt::format("{} would take about {} of memory, and --memory allows {}.",
                                               format_count(subjects, "subject", "subjects"),
                                               format_bytes(static_cast<double>(bytes)),
                                               format_bytes(static_cast<double>(memory_bytes))));
}

SequenceSet permuted_subjects(const SequenceSet& source, Index subjects, ThreadPool& threads) {
  check(source);
  const std::vector<Index> drawn = draw(source, in_file_order(source), subjects);
  const auto storage = std::make_shared<Storage>();
  for (const Index sequence : drawn) storage->add("permuted", source.length(sequence));
  storage->residues.resize(storage->offsets.back());
  fill_subjects(subjects, threads, [&](Index i, Random& own) {
    const std::span<Residue> residues = storage->subject(i);
    std::ranges::copy(source.residues(drawn[i]), residues.begin());
    shuffle(residues, own);
  });
  return finish(storage, source);
}

SequenceSet drawn_subjects(const SequenceSet& source, Index subjects, std::uint64_t residues,
                           std::uint32_t longest, ThreadPool& threads) {
  check(source);
  std::vector<Index> sequences = in_file_order(source);
  std::erase_if(sequences, [&](Index i) {
    return source.length(i) == 0 || (longest > 0 && source.length(i) > longest);
  });
  if (sequences.empty())
    throw Error(ErrorKind::database,
                fmt::format("{} has no sequence of {} residues or fewer.", source.origin(), longest));
  const std::vector<Index> drawn = draw(source, sequences, subjects);
  std::vector<bool> known(source.size()), again(subjects);
  for (Index i = 0; i < subjects; ++i) {
    again[i] = known[drawn[i]];
    known[drawn[i]] = true;
  }
  const auto storage = std::make_shared<Storage>();
  for (const std::size_t length : cut_lengths(source, drawn, residues, longest))
    storage->add("drawn", length);
  storage->residues.resize(storage->offsets.back());
  fill_subjects(subjects, threads, [&](Index i, Random& own) {
    const std::span<Residue> made = storage->subject(i);
    repeat(source.residues(drawn[i]), made);
    if (again[i] || made.size() > source.length(drawn[i])) shuffle(made, own);
  });
  return finish(storage, source);
}

SequenceSet drawn_query(const SequenceSet& source, std::uint32_t length) {
  check(source);
  const std::vector<Index> sequences = in_file_order(source);
  // The distance from the wanted length. Every sequence that is too short is farther than all others.
  const auto distance = [&](Index i) {
    return source.length(i) >= length ? source.length(i) - length : SIZE_MAX - source.length(i);
  };
  std::vector<Residue> residues(length);
  repeat(source.residues(*std::ranges::min_element(sequences, {}, distance)), residues);
  SequenceSetBuilder builder(source.alphabet(), source.origin());
  builder.add(fmt::format("length_{}", length), residues);
  return builder.finish();
}

SequenceSet equal_subjects(const SequenceSet& source, Index subjects, std::size_t length,
                           ThreadPool& threads) {
  check(source);
  const Composition table = composition(source);
  const auto storage = std::make_shared<Storage>();
  for (Index i = 0; i < subjects; ++i) storage->add("equal", length);
  storage->residues.resize(storage->offsets.back());
  fill_subjects(subjects, threads, [&](Index i, Random& own) {
    std::uint64_t bits = 0;  // each residue takes 16 of these 64
    std::size_t k = 0;
    for (Residue& residue : storage->subject(i)) {
      bits = k++ % 4 == 0 ? own() : bits >> 16;
      residue = table[bits % table.size()];
    }
  });
  return finish(storage, source);
}

SequenceSet identical_subjects(const SequenceSet& source, Index subjects, std::size_t length,
                               ThreadPool& threads) {
  const SequenceSet one = equal_subjects(source, 1, length, threads);
  const auto storage = std::make_shared<Storage>();
  for (Index i = 0; i < subjects; ++i) storage->add("identical", length);
  storage->residues.resize(storage->offsets.back());
  repeat(one.residues(0), storage->residues);
  return finish(storage, source);
}

SpreadSet spread_lengths(const SequenceSet& source, Index count, std::uint32_t shortest,
                         std::uint32_t longest) {
  check(source);
  std::vector<Index> by_length = in_file_order(source);
  std::erase_if(by_length, [&](Index i) { return source.length(i) == 0; });
  const auto length = [&](Index i) { return source.length(i); };
  std::ranges::stable_sort(by_length, {}, length);

  // How often each length was drawn, at the place of the first sequence that has this length.
  std::vector<Index> turns(by_length.size());
  std::vector<Index> drawn;
  const std::uint64_t lengths = longest - shortest + std::uint64_t{1};
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t wanted = shortest + (2 * i + 1) * lengths / (2 * std::uint64_t{count});
    auto nearest = std::ranges::lower_bound(by_length, wanted, {}, length);
    if (nearest == by_length.end() ||
        (nearest != by_length.begin() && wanted - length(nearest[-1]) < length(*nearest) - wanted))
      --nearest;
    const auto alike = std::ranges::lower_bound(by_length, length(*nearest), {}, length);
    const auto others = std::ranges::upper_bound(alike, by_length.end(), length(*nearest), {}, length);
    const Index turn = turns[alike - by_length.begin()]++;
    drawn.push_back(alike[turn % (others - alike)]);
  }
  std::ranges::sort(drawn, {}, [&](Index i) { return source.file_ordinal(i); });

  SequenceSetBuilder builder(source.alphabet(), source.origin());
  SpreadSet set;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    builder.add(source[drawn[i]].header, source.residues(drawn[i]));
    set.distinct += i == 0 || drawn[i] != drawn[i - 1] ? 1 : 0;
  }
  set.sequences = builder.finish();
  return set;
}

SequenceSet receptor_sequences(Index count) {
  constexpr std::array<std::string_view, 8> kBegins = {"CASSL", "CASSP", "CASSQ", "CASRD",
                                                       "CASSE", "CAWS",  "CSAR",  "CASG"};
  constexpr std::array<std::string_view, 7> kEnds = {"NEQFF", "YEQYF",  "TEAFF", "DTQYF",
                                                     "GELFF", "NYGYTF", "QPQHF"};
  constexpr std::string_view kMiddle = "GASRLQTPNDEVY";
  constexpr std::uint64_t kShortest = 2, kLongest = 9;  // residues between the two words
  Random random(kSeed);
  SequenceSetBuilder builder(AlphabetKind::protein, "drawn receptors");
  for (Index i = 0; i < count; ++i) {
    std::string text(kBegins[below(random, kBegins.size())]);
    for (std::uint64_t k = kShortest + below(random, kLongest - kShortest + 1); k > 0; --k)
      text += kMiddle[below(random, kMiddle.size())];
    text += kEnds[below(random, kEnds.size())];
    builder.add_text(fmt::format("t{}", i), text);
  }
  return builder.finish();
}

void write_fasta(const SequenceSet& sequences, const std::string& path, ThreadPool& threads) {
  constexpr std::size_t kPiece = 1 << 20;
  io::OutputFile out(threads, path);
  io::Text text;
  for (const Index i : in_file_order(sequences)) {
    io::append(text, '>');
    io::append(text, sequences[i].header);
    io::append(text, '\n');
    io::append_letters(text, sequences[i].residues, Alphabet::of(sequences.alphabet()));
    io::append(text, '\n');
    if (text.size() < kPiece) continue;
    out.write(io::view(text));
    text.clear();
  }
  out.write(io::view(text));
  out.commit();
}

}  // namespace alnus::bench
