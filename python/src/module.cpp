#include "bindings.h"
#include "calls.h"

// The compiled module alnus._alnus. Only the package's own Python files use its names.
NB_MODULE(_alnus, module) {
  using namespace alnus::python;
  // nanobind's warnings of leaks are off, because objects that an uncaught exception refers to when Python
  // ends are no leaks. The tests switch the warnings on.
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
  bind_audits(module);
  bind_clusters(module);
  bind_costs(module);
  bind_statistics(module);
  bind_output(module);
}
