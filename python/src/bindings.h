// The parts of the module.
#pragma once

#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

namespace alnus::python {

namespace nb = nanobind;

// The name that an option of the library has among Python's arguments.
std::string argument_name(std::string_view identifier);

void bind_errors(nb::module_& module);
void bind_scoring(nb::module_& module);
void bind_sequences(nb::module_& module);
void bind_results(nb::module_& module);
void bind_session(nb::module_& module);
// Members of the session, by what they are for.
void bind_alignments(nb::module_& module);
void bind_all_pairs(nb::module_& module);
void bind_statistics(nb::module_& module);
void bind_output(nb::module_& module);

}  // namespace alnus::python
