// The functions that add the classes and functions of each source file to the module _alnus.
#pragma once

#include <nanobind/nanobind.h>
#include <string>
#include <string_view>

namespace alnus::python {

namespace nb = nanobind;

// The name that Python's functions have for an option of the library. `identifier` is the option's name as
// option() in alnus/error.h takes it.
std::string argument_name(std::string_view identifier);

void bind_errors(nb::module_& module);
void bind_scoring(nb::module_& module);
void bind_sequences(nb::module_& module);
void bind_results(nb::module_& module);
void bind_session(nb::module_& module);
// The calls of a session, by their purpose.
void bind_alignments(nb::module_& module);
void bind_all_pairs(nb::module_& module);
void bind_audits(nb::module_& module);
void bind_clusters(nb::module_& module);
void bind_costs(nb::module_& module);
void bind_statistics(nb::module_& module);
void bind_output(nb::module_& module);

}  // namespace alnus::python
