// What the process needs before a command runs: its standard descriptors, and enough stack.
#pragma once

#include <span>
#include <string>

namespace alnus::cli {

// A closed descriptor 0, 1 or 2 would be given to the next file that is opened: the log could then go into an
// output. This opens /dev/null in their places, so that reading standard input and writing standard output
// still fail, as they do with a closed descriptor. To be called before anything else is opened.
void open_closed_descriptors();

// Throws Error(input) if messages would be appended to one of the inputs, because standard error goes to it.
// From then on messages go to the terminal, or nowhere without one, so that this error changes no input.
void keep_messages_out_of(std::span<const std::string> inputs);

// Throws Error(memory) if the limit of the stack (ulimit -s) is too low for any command. Work that needs much
// stack is done on threads of the library, which have their own.
void check_stack();

}  // namespace alnus::cli
