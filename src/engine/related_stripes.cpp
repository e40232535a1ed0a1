#include "engine/related_stripes.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "engine/stripe_builder.h"

namespace alnus::engine {

using Index = SequenceSet::Index;

namespace {

// Returns the numbers of the relations that local_finder() finds.
std::vector<std::size_t> local_relations(const AllPairsOptions& options) {
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < options.relations.size(); ++k) {
    const RelationKind kind = options.relations[k].relation.kind;
    if (kind != RelationKind::whole && !is_of_call(kind)) numbers.push_back(k);
  }
  return numbers;
}

}  // namespace

AllPairsOptions RelationInputs::without_relations(Detail detail) const {
  AllPairsOptions same;
  same.fields = {.detail = detail, .cigars = false, .strands = options.fields.strands};
  same.listed = false;
  same.memory_bytes = options.memory_bytes;
  same.shortcuts = options.shortcuts;
  return same;
}

std::uint64_t RelationInputs::most_bytes(IndexRange rows) const {
  constexpr std::uint64_t kParts = 2;
  return rows.size() > 1 ? all_pairs_bytes(options) / kParts : std::numeric_limits<std::uint64_t>::max();
}

SparseValue RelationInputs::value_of(const IndexPair& pair, double value, std::size_t relation) const {
  const auto number = static_cast<std::uint8_t>(relation);
  return pairs.is_half() ? SparseValue{pair.subject, pair.query, value, number}
                         : SparseValue{pair.query, pair.subject, value, number};
}

SparseValue RelationInputs::value_of(const IndexPair& pair, const Fraction& identity,
                                     std::size_t relation) const {
  const double share = 100 * static_cast<double>(identity.numerator);
  return value_of(pair, share / static_cast<double>(identity.denominator), relation);
}

RelatedStripes::RelatedStripes(const AllPairs& pairs, const AllPairsOptions& options, StripeState state,
                               CallState& call)
    : inputs_{pairs, options, state, call},
      state_(state),
      has_local_(options.first_hits != nullptr || !local_relations(options).empty()) {
  if (has_local_)
    making_local_ = call.start([this] {
      const ThreadPool::Permit permit(inputs_.call.threads, inputs_.call.progress.stop);
      local_ = local_finder(inputs_, local_relations(inputs_.options));
    });
  for (std::size_t k = 0; k < options.relations.size(); ++k) {
    const RelationKind kind = options.relations[k].relation.kind;
    if (kind == RelationKind::whole)
      finders_.push_back(whole_finder(inputs_, k));
    else if (is_of_call(kind))
      finders_.push_back(score_finder(inputs_, k));
  }
}

std::pair<Stripe, StripeState> RelatedStripes::next() {
  IndexRange rows{state_.next_row, next_end()};
  for (;;) {
    try {
      Stripe stripe;
      stripe.rows = rows;
      for (Index row = rows.begin; row < rows.end; ++row) stripe.pairs += inputs_.pairs.pairs_of(row);
      std::uint64_t kept = 0;
      stripe.sparse = related(rows, kept);
      state_.next_row = rows.end;
      if (stripe.pairs > 0)
        state_.left = std::min(1.0, static_cast<double>(kept) / static_cast<double>(stripe.pairs));
      return {std::move(stripe), state_};
    } catch (const StripeTooLarge&) {
      constexpr Index kFewer = 4;
      rows.end = rows.begin + std::max<Index>(rows.size() / kFewer, 1);
    }
  }
}

std::vector<SparseValue> RelatedStripes::related(IndexRange rows, std::uint64_t& kept) {
  std::vector<SparseValue> found;
  std::optional<ExtraWork> again;  // the pairs count once in the progress of the call
  for (const auto& finder : finders_) {
    kept = std::max(kept, finder->find(rows, found));
    again.emplace(inputs_.call.progress);
  }
  if (making_local_.valid()) making_local_.wait();
  if (local_) kept = std::max(kept, local_->find(rows, found));
  again.reset();
  // A pair may have a value on each strand. The nearer one comes first, and is kept.
  std::ranges::sort(found, {}, [&](const SparseValue& one) {
    const bool low_is_near = inputs_.options.relations[one.relation].relation.kind == RelationKind::related;
    return std::tuple(one.row, one.column, one.relation, low_is_near ? one.value : -one.value);
  });
  const auto is_same = [](const SparseValue& one, const SparseValue& other) {
    return one.row == other.row && one.column == other.column;
  };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

Index RelatedStripes::next_end() const {
  const AllPairs& pairs = inputs_.pairs;
  // Twice as many pairs as in the stripe before are planned for, and a finder may keep twice as many again.
  constexpr double kBytesOfPair = 24, kLeastExpected = 1e-4;
  const double expected = std::clamp(2 * state_.left, kLeastExpected, 1.0);
  const double most_bytes = static_cast<double>(inputs_.most_bytes({0, 2})) / 2;
  double most_cells = std::numeric_limits<double>::max();
  for (const auto& finder : finders_)
    most_cells = std::min(most_cells, finder->cells_at_a_time() * inputs_.options.stripe_cells);
  if (has_local_) most_cells = std::min(most_cells, kScoredAtATime * inputs_.options.stripe_cells);
  const double columns_length = pairs.columns_length();
  double cells = 0, bytes = 0;
  Index end = state_.next_row;
  for (; end < pairs.block().rows.end; ++end) {
    const double count = pairs.columns_of(end).size();
    cells += static_cast<double>(pairs.rows().length(end)) * count * columns_length;
    bytes += count * kBytesOfPair * expected;
    if (end > state_.next_row && (cells > most_cells || bytes > most_bytes)) break;
  }
  return end;
}

}  // namespace alnus::engine
