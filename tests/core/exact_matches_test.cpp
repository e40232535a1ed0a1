#include "core/exact_matches.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

#include "alnus/error.h"
#include "support/sequences.h"

namespace alnus::test {
namespace {

using Index = SequenceSet::Index;

std::vector<IndexPair> equal_by_definition(const SequenceSet& queries, const SequenceSet& subjects) {
  std::vector<IndexPair> pairs;
  for (Index q = 0; q < queries.size(); ++q)
    for (Index s = 0; s < subjects.size(); ++s)
      if (queries.length(q) > 0 && without_case(queries.residues(q)) == without_case(subjects.residues(s)))
        pairs.push_back({q, s});
  return pairs;
}

std::vector<std::optional<Index>> containers_by_definition(const SequenceSet& pieces,
                                                           const SequenceSet& wholes) {
  std::vector<std::optional<Index>> containers(pieces.size());
  for (Index p = 0; p < pieces.size(); ++p)
    for (Index w = 0; w < wholes.size() && !containers[p]; ++w) {
      const Residues piece = without_case(pieces.residues(p)), whole = without_case(wholes.residues(w));
      if (!piece.empty() && piece.size() < whole.size() &&
          std::search(whole.begin(), whole.end(), piece.begin(), piece.end()) != whole.end())
        containers[p] = w;
    }
  return containers;
}

// Random sequences, pieces of them in any case, and copies.
std::vector<Residues> texts(Random& random, std::size_t count, std::size_t longest, std::size_t letters) {
  std::vector<Residues> all;
  for (std::size_t i = 0; i < count; ++i) {
    Residues one = random_sequence(random, below(random, longest + 1), letters);
    if (!all.empty() && below(random, 3) > 0) {
      const Residues& other = all[below(random, all.size())];
      const std::size_t begin = below(random, other.size() + 1);
      const std::size_t length = below(random, 2) == 0 ? other.size() : below(random, longest + 1);
      one.assign(other.begin() + static_cast<std::ptrdiff_t>(length == other.size() ? 0 : begin),
                 other.begin() + static_cast<std::ptrdiff_t>(
                                     std::min(other.size(), (length == other.size() ? 0 : begin) + length)));
    }
    all.push_back(with_random_case(random, one));
  }
  return all;
}

TEST(ExactMatches, AreThoseOfTheDefinition) {
  Random random(1);
  ThreadPool pool(3);
  std::size_t equal = 0, contained = 0, free = 0;
  for (const std::size_t letters : {1, 2, 4, 20})
    for (const std::size_t longest : {4, 17, 64, 200})
      for (int round = 0; round < 4; ++round) {
        std::vector<Residues> all = texts(random, 80, longest, letters);
        std::ranges::shuffle(all, random);
        const SequenceSet one = make_set(std::span(all).first(45)),
                          other = make_set(std::span(all).subspan(45));
        const std::vector<IndexPair> pairs = equal_pairs(one, other, StopFlag::never());
        EXPECT_EQ(pairs, equal_by_definition(one, other));
        equal += pairs.size();
        std::vector<Index> first(one.size());
        std::iota(first.begin(), first.end(), 0);
        for (const IndexPair& pair : equal_by_definition(one, one))
          first[pair.query] = std::min(first[pair.query], pair.subject);
        EXPECT_EQ(first_equals(one, StopFlag::never()), first);
        for (const bool turned : {false, true}) {
          const SequenceSet &pieces = turned ? other : one, &wholes = turned ? one : other;
          const auto found = first_containers(pieces, wholes, pool, StopFlag::never());
          EXPECT_EQ(found, containers_by_definition(pieces, wholes));
          const auto inside = static_cast<std::size_t>(
              std::ranges::count_if(found, [](const auto& container) { return container.has_value(); }));
          contained += inside;
          free += found.size() - inside;
        }
      }
  EXPECT_GT(equal, 1000u);
  EXPECT_GT(contained, 500u);
  EXPECT_GT(free, 500u);
}

// Pieces that begin alike, of all lengths: all are looked for at each place where their beginning stands.
TEST(ExactMatches, OfPiecesThatBeginAlike) {
  ThreadPool pool(2);
  std::vector<Residues> pieces, wholes;
  for (std::size_t length = 1; length <= 130; ++length) pieces.push_back(repeat("AC", length));
  for (const std::size_t length : {3, 64, 65, 100}) {
    Residues whole = repeat("AC", length);
    whole.insert(whole.begin(), encode("W").front());
    wholes.push_back(whole);
  }
  const SequenceSet set = make_set(pieces), others = make_set(wholes);
  const auto found = first_containers(set, others, pool, StopFlag::never());
  EXPECT_EQ(found, containers_by_definition(set, others));
  EXPECT_EQ(found[99], 3u);
  EXPECT_FALSE(found[100]);
}

// Several threads find containers of the same piece: the first one counts.
TEST(ExactMatches, TheFirstContainerCountsWhicheverThreadFindsIt) {
  Random random(2);
  ThreadPool pool(4);
  std::vector<Residues> wholes(60);
  for (Residues& whole : wholes) whole = random_sequence(random, 100'000);
  const Residues piece = random_sequence(random, 700);
  for (const std::size_t at : {25, 31, 59}) std::ranges::copy(piece, wholes[at].begin() + 99'300);
  const SequenceSet pieces = make_set(std::vector<Residues>{piece, random_sequence(random, 700)});
  for (int round = 0; round < 5; ++round)
    EXPECT_EQ(first_containers(pieces, make_set(wholes), pool, StopFlag::never()),
              (std::vector<std::optional<Index>>{25, std::nullopt}));
}

TEST(ExactMatches, OfNothing) {
  ThreadPool pool(1);
  const SequenceSet none, empty = make_set(std::vector<Residues>(2)),
                          one = make_set(std::vector<Residues>{encode("MKV")});
  for (const SequenceSet* a : {&none, &empty, &one})
    for (const SequenceSet* b : {&none, &empty}) {
      EXPECT_TRUE(equal_pairs(*a, *b, StopFlag::never()).empty());
      for (const auto& container : first_containers(*a, *b, pool, StopFlag::never())) EXPECT_FALSE(container);
      for (const auto& container : first_containers(*b, *a, pool, StopFlag::never())) EXPECT_FALSE(container);
    }
}

TEST(ExactMatches, CanBeStopped) {
  ThreadPool pool(2);
  StopFlag stop;
  stop.request();
  const SequenceSet set = make_set(std::vector<Residues>{encode("MKV"), encode("MK")});
  EXPECT_THROW(equal_pairs(set, set, stop), Interrupted);
  EXPECT_THROW(first_equals(set, stop), Interrupted);
  EXPECT_THROW(first_containers(set, set, pool, stop), Interrupted);
}

}  // namespace
}  // namespace alnus::test
