#include "api/database_state.h"

#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/text.h"
#include "io/ledger.h"
#include "io/sequence_reader.h"

namespace alnus {

const std::shared_ptr<const SortedSequences>& Database::State::sorted() {
  std::call_once(sorting, [this] { sorted_ = std::make_shared<const SortedSequences>(sequences); });
  return sorted_;
}

bool Database::State::looks_like_dna() {
  const std::lock_guard lock(mutex);
  if (!resembles_dna) resembles_dna = io::resembles_dna(sequences.arrays().residues, sequences.alphabet());
  return *resembles_dna;
}

bool Database::State::to_be_doubted_with(const State& subjects) {
  const std::lock_guard lock(mutex);
  return std::exchange(doubted_with, &subjects) != &subjects;
}

namespace {

std::shared_ptr<Database::State> state_of(SequenceSet sequences) {
  auto state = std::make_shared<Database::State>();
  state->name = sequences.origin();
  state->sequences = std::move(sequences);
  return state;
}

// Sequences of `origin`, which are as little in doubt as that.
std::shared_ptr<Database::State> made_from(const Database::State& origin, SequenceSet sequences) {
  auto state = state_of(std::move(sequences));
  state->name = origin.name;
  state->files = origin.files;
  state->alphabet_stated = origin.alphabet_stated;
  state->masking = origin.masking;
  state->checks = origin.checks;
  return state;
}

}  // namespace

Database::Database() : Database(SequenceSet()) {}
Database::Database(SequenceSet sequences) : state_(state_of(std::move(sequences))) {}

const SequenceSet& Database::sequences() const { return state_->sequences; }
const std::string& Database::name() const { return state_->name; }

std::string Database::digest() const {
  std::call_once(state_->digesting, [this] {
    state_->digest_ =
        state_->file_digest.empty() ? io::digest_of({&state_->sequences, 1}) : state_->file_digest;
  });
  return state_->digest_;
}

Database Database::part(Index begin, Index end) const {
  if (begin > end || end > size())
    throw Error(ErrorKind::input,
                fmt::format("The part from {} to {} does not lie in {}, which has {}.", begin, end, name(),
                            format_count(size(), "sequence", "sequences")));
  return Database(made_from(*state_, sequences().part(begin, end)));
}

Database Database::extended(const Database& more) const {
  SequenceSetBuilder all(alphabet(), sequences().origin());
  for (const SequenceSet& set : {sequences().in_file_order(), more.sequences().in_file_order()})
    for (Index i = 0; i < set.size(); ++i) all.add(set[i].header, set.residues(i));
  auto joined = made_from(*state_, all.finish());
  joined->files.insert(joined->files.end(), more.state()->files.begin(), more.state()->files.end());
  joined->checks.insert(joined->checks.end(), more.state()->checks.begin(), more.state()->checks.end());
  return Database(std::move(joined));
}

Database Database::in_file_order() const {
  if (sequences().arrays().file_ordinals.empty()) return *this;
  return Database(made_from(*state_, sequences().in_file_order()));
}

}  // namespace alnus
