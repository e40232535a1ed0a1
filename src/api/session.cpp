// The members of Session that open, mask and make databases, prepare them for devices, describe the session,
// and align two strings. Other members have files of their own.
#include "alnus/session.h"

#include <algorithm>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

#include "alnus/error.h"
#include "api/inputs.h"
#include "api/options.h"
#include "core/refuse_input.h"
#include "core/stack.h"
#include "io/database.h"
#include "session/call.h"
#include "session/database_state.h"
#include "session/file_check.h"
#include "session/session_core.h"

namespace alnus {

using session::Call, session::in_call;
using Length = Call::Length;

Session::Session(SessionOptions options) : state_(new State(std::move(options))) {}
Session::~Session() {
  // In a child after fork() the session's threads do not exist and its GPUs must not be touched: the state
  // leaks.
  if (state_ && state_->core.process() != ::getpid()) static_cast<void>(state_.release());
}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const SessionOptions& Session::options() const { return state_->core.options(); }
SessionCounters Session::counters() const {
  session::check_process(state_->core);
  return state_->core.counters();
}
std::vector<DeviceDescription> Session::devices() const {
  session::check_call(state_->core);
  return state_->core.devices().describe();
}
std::vector<DeviceDescription> Session::devices_used() const {
  session::check_call(state_->core);
  return state_->core.devices().describe_used();
}

Database Session::open(const std::string& path, const OpenOptions& options, const RunControl& run) {
  return in_call(state_->core, run, Length::full, [&](Call& call) { return api::open(path, options, call); });
}

Database Session::open_text(std::string_view text, const std::string& name, const OpenOptions& options,
                            const RunControl& run) {
  return in_call(state_->core, run, Length::full,
                 [&](Call& call) { return api::open_text(text, name, options, call); });
}

Session::Inputs Session::open_search(const std::string& queries, const std::string& database,
                                     const OpenOptions& options, const RunControl& run) {
  return in_call(state_->core, run, Length::full,
                 [&](Call& call) { return api::open_both(queries, database, options, true, call); });
}

Session::Inputs Session::open_sets(const std::string& first, const std::string& second,
                                   const OpenOptions& options, const RunControl& run) {
  return in_call(state_->core, run, Length::full,
                 [&](Call& call) { return api::open_both(first, second, options, false, call); });
}

Database Session::masked(const Database& database, const Masking& masking, const RunControl& run) {
  return in_call(state_->core, run, Length::full, [&](Call& call) {
    session::Verifications files({database}, call);
    io::ReadInput odd{database.name()};
    Database result =
        session::masked(database, masking, odd.counts.masked, call.session().threads(), call.stop());
    files.require();
    api::tell_masking({&odd, 1}, masking, call);
    return result;
  });
}

void Session::prepare(const Database& database, const RunControl& run) {
  session::Call call(state_->core, run);
  call.run(session::Call::Length::full, [&] {
    session::Verifications files({database}, call);
    call.use_all_devices();
    call.load(database.state()->sorted(call.stop()));
    files.require();
  });
}

void Session::release(const Database& database) {
  session::check_call(state_->core);
  state_->core.devices().forget(database.state()->sorted());
}

DatabaseInfo Session::make_database(const std::vector<std::string>& inputs, const std::string& output,
                                    const MakeDatabaseOptions& options, const RunControl& run) {
  if (std::ranges::count(inputs, "-") > 1) refuse_input("Only one input can be -, standard input.");
  if (output == "-")
    refuse_input(fmt::format("A database cannot be written to standard output; name a file with {}.",
                             option("output")));
  return in_call(state_->core, run, Length::full, [&](Call& call) {
    ReadCounts counts;
    std::vector<io::ReadInput> read;
    DatabaseInfo info =
        io::make_database(inputs, output, options, call.session().threads(), &counts, call.stop(), &read);
    if (options.alphabet == AlphabetChoice::protein)  // what is stated is not doubted
      for (io::ReadInput& input : read) input.notes.nucleotides = {};
    api::tell_odd_records(read, info.alphabet, call);
    const io::ReadInput all{fmt::format("{}", fmt::join(inputs, ", ")), counts};
    api::tell_masking({&all, 1}, options.masking, call);
    return info;
  });
}

void Session::verify_database(const std::string& path, const RunControl& run) {
  session::Call call(state_->core, run);
  call.run(session::Call::Length::full,
           [&] { io::verify_database(path, call.session().threads(), call.stop()); });
}

namespace {

// Converts letters to residues. `residues` is memory that the thread keeps for its next call.
std::span<const Residue> encode(std::string_view letters, AlphabetKind kind, std::vector<Residue>& residues) {
  const Alphabet& alphabet = Alphabet::of(kind);
  residues.resize(letters.size());
  std::ranges::transform(letters, residues.begin(), [&](char letter) { return alphabet.encode(letter); });
  return residues;
}

}  // namespace

Alignment Session::align(std::string_view query, std::string_view subject, const Scoring& scoring,
                         Detail detail) {
  thread_local std::vector<Residue> rows, columns;
  session::check_call(state_->core);
  state_->core.count_call();
  const auto check_length = [](std::string_view letters, const char* name) {
    if (letters.size() > kLongestSequence)
      refuse_input(fmt::format("The {} is longer than {} letters. Split it.", name, kLongestSequence));
  };
  check_length(query, "query");
  check_length(subject, "subject");
  const AlphabetKind kind = scoring.matrix.alphabet();
  const std::span<const Residue> of_query = encode(query, kind, rows);
  const std::span<const Residue> of_subject = encode(subject, kind, columns);
  Alignment alignment;
  const auto align = [&] {
    alignment = state_->core.devices().align_pair(of_query, of_subject, scoring, detail);
  };
  if (stack_left() >= kWorkStack / 2)
    align();
  else
    state_->core.threads().start(align).wait();
  return alignment;
}

}  // namespace alnus
