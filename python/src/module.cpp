#include "bindings.h"
#include "calls.h"

// The names of this module are for the package's own Python files alone.
NB_MODULE(_alnus, module) {
  using namespace alnus::python;
  // What an uncaught exception refers to at the end is no leak; the tests look for leaks.
  nanobind::set_leak_warnings(false);
  module.def("set_leak_warnings", &nanobind::set_leak_warnings, nanobind::arg("value"));
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function([] {
    const nanobind::gil_scoped_release released;
    end_calls();
  }));
  bind_errors(module);
  bind_scoring(module);
  bind_sequences(module);
  bind_results(module);
  bind_session(module);
  bind_alignments(module);
  bind_all_pairs(module);
  bind_statistics(module);
  bind_output(module);
}
