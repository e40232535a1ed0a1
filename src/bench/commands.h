// alnus bench: the commands that measure this program.
#pragma once

#include <vector>

#include "cli/command.h"

namespace alnus::bench {

// Adds the group `bench` with its commands to the program, and returns the commands.
std::vector<cli::Command> add_commands(CLI::App& program);

// Each adds one command to the group.
cli::Command add_search(CLI::App& group);
cli::Command add_allpairs(CLI::App& group);
cli::Command add_evalues(CLI::App& group);
cli::Command add_papers(CLI::App& group);

}  // namespace alnus::bench
