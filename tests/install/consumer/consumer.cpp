// A program with the installed library catches exceptions by their own types, thrown on the caller's thread
// or on another one. If it does not catch one, it prints which, and exits with 1.
#include <alnus/alnus.h>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <unistd.h>

namespace {

int failures = 0;

// Runs `work`. It must throw an Exception that `is_right` accepts.
template <class Exception>
void expect(const char* what, const std::function<void()>& work,
            const std::function<bool(const Exception&)>& is_right) {
  try {
    work();
    std::fprintf(stderr, "%s: nothing was thrown\n", what);
  } catch (const Exception& exception) {
    if (is_right(exception)) return;
    std::fprintf(stderr, "%s: the exception says something else\n", what);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "%s: another type: %s\n", what, exception.what());
  } catch (...) {
    std::fprintf(stderr, "%s: an unknown type\n", what);
  }
  ++failures;
}

bool is_input(const alnus::Error& error) { return error.kind() == alnus::ErrorKind::input; }

struct Own {};

}  // namespace

int main() {
  alnus::SequenceSetBuilder builder(alnus::AlphabetKind::protein);
  builder.add_text("one", "MKWVTFISLL");
  builder.add_text("two", "AAMKWVFISLLAA");
  const alnus::Database set(builder.finish());
  const alnus::Scoring scoring = alnus::make_scoring({});
  alnus::Session session({.devices = "cpu"});

  expect<alnus::Error>(
      "an option", [] { alnus::SubstitutionMatrix::builtin("BLOSUM63"); }, is_input);
  expect<alnus::Error>(
      "a file", [&] { session.open("/nowhere/at/all.fasta"); }, is_input);
  expect<std::runtime_error>(
      "a base class", [&] { session.open("/nowhere/at/all.fasta"); },
      [](const std::runtime_error& error) { return dynamic_cast<const alnus::Error*>(&error) != nullptr; });

  alnus::RunControl cancelled;
  std::stop_source stop;
  stop.request_stop();
  cancelled.stop = stop.get_token();
  expect<alnus::Interrupted>(
      "a cancelled call", [&] { session.search(set, set, scoring, {}, cancelled); },
      [](const alnus::Interrupted&) { return true; });

  expect<Own>(
      "a callback's exception",
      [&] {
        session.search(set, set, scoring, {.min_score = 1}, [](const alnus::SearchBatch&) { throw Own{}; });
      },
      [](const Own&) { return true; });

  int ends[2];
  if (pipe(ends) != 0) return 1;
  close(ends[0]);
  dup2(ends[1], STDOUT_FILENO);
  std::signal(SIGPIPE, SIG_IGN);
  expect<alnus::ClosedPipe>(
      "a closed pipe", [] { alnus::print("Nobody reads this.\n"); },
      [](const alnus::ClosedPipe&) { return true; });
  return failures == 0 ? 0 : 1;
}
