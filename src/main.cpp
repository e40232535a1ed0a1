// The program `alnus` (docs/cli.md).
#include <chrono>
#include <new>
#include <optional>

#include "alnus/error.h"
#include "alnus/output.h"
#include "cli/command_line.h"
#include "cli/common_options.h"
#include "cli/log.h"
#include "cli/process.h"
#ifdef ALNUS_BENCH  // not with the shared library: it hides the engine, which these commands measure
#include "bench/commands.h"
#endif

namespace {

using namespace alnus;

// Runs the command of the command line, and returns the exit code that it has chosen. main() makes the exit
// code from what this throws.
int run(int argc, char** argv, std::optional<cli::Log>& log) {
  const auto start = std::chrono::steady_clock::now();
  cli::CommandLine command_line({
      cli::add_commands,
#ifdef ALNUS_BENCH
      bench::add_commands,
#endif
  });
  const auto parsed = command_line.parse(argc, argv);
  int exit_code = 0;
  if (const auto* text = std::get_if<std::string>(&parsed)) {
    print(*text);
    return exit_code;
  }
  const cli::Command& command = *std::get<const cli::Command*>(parsed);
  log.emplace(cli::log_amount(*command.app));
  log->at_signal("no unfinished output was kept.");
  command.run({*log, cli::join_words(argc, argv), start, exit_code});
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  cli::open_closed_descriptors();
  cli::install_signal_handlers();
  std::optional<cli::Log> log(std::in_place);
  try {
    cli::check_stack();
    return run(argc, argv, log);
  } catch (const ClosedPipe&) {
    return cli::kClosedPipeExit;
  } catch (const Interrupted&) {
    return cli::StopBySignal::exit_code();
  } catch (const cli::UsageError& error) {
    log->usage(error.marked());
    return static_cast<int>(error.kind());
  } catch (const Error& error) {
    log->error(cli::in_flags(error.marked()));
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    log->error("Not enough memory. Fewer threads (-t), a lower --memory or smaller inputs need less.");
    return static_cast<int>(ErrorKind::memory);
  } catch (const std::exception& error) {
    log->error(std::string("Internal error: ") + error.what());
    return static_cast<int>(ErrorKind::other);
  }
}
