// Completion of commands, options and files in shells, from the descriptions that --help shows.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace alnus::cli {

// Scripts for the program with all of its commands.
std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);
std::string fish_completion(const CLI::App& program);

}  // namespace alnus::cli
