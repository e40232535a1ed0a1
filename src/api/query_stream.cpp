#include "alnus/query_stream.h"

#include <fmt/format.h>
#include <utility>

#include "alnus/error.h"
#include "alnus/session.h"
#include "alnus/text.h"
#include "api/inputs.h"
#include "io/record_stream.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/session_core.h"

namespace alnus {

struct QueryStream::State {
  session::SessionCore& session;
  const Database database;
  const OpenOptions options;
  const std::string origin;
  io::RecordStream records;
  std::string name;
};

namespace {

session::SessionCore& core_of(Session& session) {
  session::check_process(session.state().core);
  return session.state().core;
}

}  // namespace

QueryStream::QueryStream(Session& session, const std::string& path, const Database& database,
                         const OpenOptions& options)
    : state_(new State{core_of(session),
                       database,
                       options,
                       io::display_name(path),
                       {path, database.alphabet(), options.masking, session.state().core.threads(),
                        api::qualities_of(options)},
                       {}}) {}
QueryStream::~QueryStream() = default;

bool QueryStream::failed() const { return state_->records.failed(); }
const std::string& QueryStream::name() const { return state_->name; }

Database QueryStream::next(const RunControl& run) {
  State& s = *state_;
  session::Call call(s.session, run);
  Database query;
  call.run(session::Call::Length::full, [&] {
    SequenceSet sequences = s.records.next(call.stop());
    if (sequences.empty()) return;
    s.name = fmt::format("{}, record {} ({})", s.origin, s.records.number(), in_quotes(sequences[0].id()));
    auto state = std::make_shared<Database::State>();
    state->sequences = std::move(sequences);
    state->name = s.name;
    state->record = s.records.number();
    state->alphabet_stated = api::is_stated(s.options.alphabet);
    state->masking = s.options.masking;
    state->counts = s.records.counts();
    state->resembles_dna = s.records.resembles_dna();
    if (std::exchange(state->counts.empty_records, 0) > 0)
      call.warn(fmt::format("{} has no sequence.", s.name));
    if (std::exchange(state->counts.unnamed_records, 0) > 0)
      call.warn(fmt::format("{} has no name.", s.name));
    const io::ReadInput odd{.name = s.name, .counts = state->counts};
    api::tell_odd_records({&odd, 1}, state->sequences.alphabet(), call);
    api::tell_masking({&odd, 1}, s.options.masking, call);
    query = Database(std::move(state));
    api::check_alphabets(query, s.database, call);
  });
  return query;
}

}  // namespace alnus
