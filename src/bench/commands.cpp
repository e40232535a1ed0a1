#include "bench/commands.h"

#include <CLI/CLI.hpp>

namespace alnus::bench {

std::vector<cli::Command> add_commands(CLI::App& program) {
  CLI::App* group = program.add_subcommand("bench", "Measurements of this program on this machine");
  group->set_help_flag("-h,--help", "This text; alnus bench COMMAND --help for a command's options");
  group->require_subcommand(0, 1);
  group->footer("Example:\n  alnus bench search proteins.fasta uniprot.alnus");
  return {add_search(*group), add_allpairs(*group), add_evalues(*group), add_papers(*group)};
}

}  // namespace alnus::bench
