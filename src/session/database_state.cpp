#include "session/database_state.h"

#include <fmt/format.h>
#include <utility>

#include "alnus/text.h"
#include "core/file_order.h"
#include "core/masking.h"
#include "core/refuse_input.h"
#include "io/ledger.h"
#include "io/sequence_reader.h"
#include "session/file_check.h"

namespace alnus {

const std::shared_ptr<const SortedSequences>& Database::State::sorted(const StopFlag& stop) {
  prepared->sorting.run([&] { prepared->sorted = std::make_shared<const SortedSequences>(sequences, stop); },
                        stop);
  return prepared->sorted;
}

bool Database::State::looks_like_dna() {
  const std::lock_guard lock(mutex);
  if (resembles_dna) return *resembles_dna;
  const bool found = io::resembles_dna(sequences.arrays().residues, sequences.alphabet());
  require_sound();
  resembles_dna = found;
  return found;
}

void Database::State::require_sound() const {
  for (const std::shared_ptr<session::FileCheck>& check : checks) check->require_sound();
}

double Database::State::length_by_residue() {
  prepared->measuring.run([&] {
    double squares = 0, residues = 0;
    for (SequenceSet::Index i = 0; i < sequences.size(); ++i) {
      const auto length = static_cast<double>(sequences.length(i));
      squares += length * length;
      residues += length;
    }
    prepared->length_by_residue = residues > 0 ? squares / residues : 0;
  });
  return prepared->length_by_residue;
}

namespace {

std::shared_ptr<Database::State> state_of(SequenceSet sequences) {
  auto state = std::make_shared<Database::State>();
  state->name = sequences.origin();
  state->sequences = std::move(sequences);
  return state;
}

// The state of sequences that were made from those of `origin`, with all that is known of `origin`.
std::shared_ptr<Database::State> made_from(const Database::State& origin, SequenceSet sequences) {
  auto state = state_of(std::move(sequences));
  state->name = origin.name;
  state->files = origin.files;
  state->alphabet_stated = origin.alphabet_stated;
  state->counts = origin.counts;
  state->oddities = origin.oddities;
  state->masking = origin.masking;
  state->checks = origin.checks;
  // Masking has replaced letters, so that only `origin` can know what they looked like before.
  if (origin.masking.any()) state->resembles_dna = origin.resembles_dna;
  return state;
}

}  // namespace

Database::Database() : Database(SequenceSet()) {}
Database::Database(SequenceSet sequences) : state_(state_of(std::move(sequences))) {}

Database Database::unstated(SequenceSet sequences, const UnknownLetters& unknown) {
  auto state = state_of(std::move(sequences));
  state->alphabet_stated = false;
  state->counts.records = state->sequences.size();
  state->counts.residues = state->sequences.total_residues();
  state->counts.unknown_bytes = unknown.letters;
  const auto odd = std::make_shared<State::Oddity>();
  odd->read.name = state->name;
  odd->read.counts = state->counts;
  if (unknown.records > 0)
    odd->read.notes.unknown = {unknown.records, std::uint64_t{unknown.first} + 1,
                               std::string(state->sequences[unknown.first].id())};
  state->oddities = {odd};
  return Database(std::move(state));
}

Database Database::stated() const {
  if (is_stated()) return *this;
  auto state = made_from(*state_, sequences());
  state->alphabet_stated = true;
  state->file_digest = state_->file_digest;
  state->prepared = state_->prepared;
  return Database(std::move(state));
}

bool Database::is_stated() const { return state_->alphabet_stated; }

const SequenceSet& Database::sequences() const { return state_->sequences; }
const std::string& Database::name() const { return state_->name; }

std::string Database::digest() const {
  State::Prepared& prepared = *state_->prepared;
  prepared.digesting.run([&] {
    prepared.digest =
        state_->file_digest.empty() ? io::digest_of({&state_->sequences, 1}) : state_->file_digest;
  });
  return prepared.digest;
}

Database Database::part(Index begin, Index end) const {
  if (begin > end || end > size())
    refuse_input(fmt::format("The part from {} to {} does not lie in {}, which has {}.", begin, end, name(),
                             format_count(size(), "sequence", "sequences")));
  return Database(made_from(*state_, sequences().part(begin, end)));
}

Database Database::in_file_order() const { return session::in_file_order(*this, StopFlag::never()); }

Database Database::extended(const Database& more) const {
  return session::extended(*this, more, StopFlag::never());
}

Database session::in_file_order(const Database& database, const StopFlag& stop) {
  if (database.sequences().arrays().file_ordinals.empty()) return database;
  return Database(made_from(*database.state(), alnus::in_file_order(database.sequences(), stop)));
}

Database session::masked(const Database& database, const Masking& masking, MaskCounts& counts,
                         ThreadPool& pool, const StopFlag& stop) {
  const Database::State& origin = *database.state();
  masking.check(database.alphabet(), database.name());
  const bool resembles_dna = database.state()->looks_like_dna();
  auto state = made_from(origin, masked_copy(origin.sequences, masking, counts, pool, stop));
  state->masking = {origin.masking.lower || masking.lower, origin.masking.seg || masking.seg,
                    origin.masking.dust || masking.dust};
  state->resembles_dna = resembles_dna;
  return Database(std::move(state));
}

Database session::extended(const Database& database, const Database& more, const StopFlag& stop) {
  const auto alphabet_of = [](const Database& one) { return Alphabet::of(one.alphabet()).name(); };
  if (database.alphabet() != more.alphabet())
    refuse_input(fmt::format("{} holds {} and {} holds {}: only sequences of one alphabet can be joined.",
                             database.name(), alphabet_of(database), more.name(), alphabet_of(more)));
  const std::array<SequenceSet, 2> sets = {database.sequences(), more.sequences()};
  auto joined = made_from(*database.state(), joined_in_file_order(sets, stop));
  const Database::State& added = *more.state();
  joined->files.insert(joined->files.end(), added.files.begin(), added.files.end());
  joined->checks.insert(joined->checks.end(), added.checks.begin(), added.checks.end());
  joined->counts += added.counts;
  joined->oddities.insert(joined->oddities.end(), added.oddities.begin(), added.oddities.end());
  return Database(std::move(joined));
}

}  // namespace alnus
