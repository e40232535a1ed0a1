// The command `alnus`: docs/cli.md.
#include <CLI/CLI.hpp>
#include <chrono>
#include <new>
#include <optional>

#include "alnus/error.h"
#include "cli/command_line.h"
#include "cli/log.h"
#include "cli/report.h"
#include "cli/signals.h"

namespace {

using namespace alnus;

// Runs what the command line says. The error it ends with tells the exit code.
void run(int argc, char** argv, std::optional<cli::Log>& log) {
  const auto start = std::chrono::steady_clock::now();
  cli::CommandLine command_line;
  const auto parsed = command_line.parse(argc, argv);
  if (const auto* text = std::get_if<std::string>(&parsed)) return cli::print(*text);
  const cli::Command& command = *std::get<const cli::Command*>(parsed);
  const CLI::Option* quiet = command.app->get_option_no_throw("--quiet");
  log.emplace(quiet != nullptr && quiet->count() > 0);
  command.run({*log, cli::join_words(argc, argv), start});
}

}  // namespace

int main(int argc, char** argv) {
  cli::install_signal_handlers();
  std::optional<cli::Log> log(std::in_place);
  try {
    run(argc, argv, log);
    return 0;
  } catch (const io::ClosedPipe&) {
    return cli::kClosedPipeExit;
  } catch (const Error& error) {
    log->error(error.what());
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    log->error("Not enough memory. Fewer threads (-t), a lower --memory or smaller inputs need less.");
    return static_cast<int>(ErrorKind::memory);
  } catch (const std::exception& error) {
    log->error(std::string("Internal error: ") + error.what());
    return static_cast<int>(ErrorKind::other);
  }
}
