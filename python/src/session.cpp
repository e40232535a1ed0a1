// Bindings of sessions, of the files that they open and make, and of devices.
#include "alnus/session.h"

#include <cstdint>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrays.h"
#include "bindings.h"
#include "calls.h"
#include "lost_pages.h"
#include "words.h"

namespace alnus::python {
namespace {

using FieldsList = nb::typed<nb::list, Fields>;

void make_session(Session* self, const std::string& devices, int threads, std::uint64_t memory,
                  const std::optional<std::uint64_t>& device_memory, const std::string& isa,
                  const std::string& method, bool shortcuts,
                  const std::optional<std::string>& calibration_cache) {
  SessionOptions options;
  options.devices = devices;
  options.threads = threads;
  options.memory_bytes = memory;
  options.device_memory_bytes = device_memory;
  options.isa = isa;
  options.method = method;
  options.shortcuts = shortcuts;
  if (calibration_cache) options.calibration_cache = {CalibrationCache::Place::directory, *calibration_cache};
  const Unlocked unlocked;
  new (self) Session(std::move(options));
}

OpenOptions open_options(const std::string& alphabet, const std::vector<std::string>& mask, bool in_memory) {
  OpenOptions options;
  options.alphabet = alphabet_choice_of(alphabet);
  options.masking = masking_of(mask);
  options.in_memory = in_memory;
  options.qualities = true;  // for rows in SAM, which has the qualities of FASTQ
  return options;
}

void watch_if_mapped(const std::string& path) {
  if (is_database_file(path)) watch_lost_pages();
}

Database open(Session& session, const std::string& path, const std::string& alphabet,
              const std::vector<std::string>& mask, bool in_memory, const Listeners& listeners) {
  const OpenOptions options = open_options(alphabet, mask, in_memory);
  if (!in_memory) watch_if_mapped(path);
  return follow(listeners, [&](const RunControl& run) { return session.open(path, options, run); });
}

// FASTA or FASTQ in memory, which lives as long as `text`.
Database open_text(Session& session, const nb::bytes& text, const std::string& name,
                   const std::string& alphabet, const std::vector<std::string>& mask,
                   const Listeners& listeners) {
  const OpenOptions options = open_options(alphabet, mask, false);
  const std::string_view bytes(text.c_str(), text.size());
  return follow(listeners,
                [&](const RunControl& run) { return session.open_text(bytes, name, options, run); });
}

std::pair<Database, Database> open_both(Session& session, const std::string& first, const std::string& second,
                                        const std::string& alphabet, const Listeners& listeners) {
  const OpenOptions options = open_options(alphabet, {}, false);
  for (const std::string* path : {&first, &second}) watch_if_mapped(*path);
  const Session::Inputs inputs = follow(
      listeners, [&](const RunControl& run) { return session.open_sets(first, second, options, run); });
  return {inputs.first, inputs.second};
}

void make_database(Session& session, const std::vector<std::string>& inputs, const std::string& output,
                   const std::string& alphabet, const std::vector<std::string>& mask,
                   const Listeners& listeners) {
  MakeDatabaseOptions options;
  options.alphabet = alphabet_choice_of(alphabet);
  options.masking = masking_of(mask);
  follow(listeners,
         [&](const RunControl& run) { return session.make_database(inputs, output, options, run); });
}

Database masked(Session& session, const Database& database, const std::vector<std::string>& mask,
                const Listeners& listeners) {
  const Masking masking = masking_of(mask);
  return follow(listeners, [&](const RunControl& run) { return session.masked(database, masking, run); });
}

Fields described(const DeviceDescription& device) {
  Fields fields;
  fields["name"] = device.name;
  fields["description"] = device.description;
  fields["memory_bytes"] = device.memory_bytes;
  fields["gcups"] = device.gcups;
  return fields;
}

FieldsList described(const std::vector<DeviceDescription>& devices) {
  FieldsList list;
  for (const DeviceDescription& device : devices) list.append(described(device));
  return list;
}

nb::typed<nb::dict, nb::str, int> counted(const SessionCounters& counters) {
  nb::typed<nb::dict, nb::str, int> fields;
  fields["calls"] = counters.calls;
  fields["uploads"] = counters.uploads;
  fields["uploaded_bytes"] = counters.uploaded_bytes;
  fields["resident_bytes"] = counters.resident_bytes;
  fields["reserved_bytes"] = counters.reserved_bytes;
  fields["peak_reserved_bytes"] = counters.peak_reserved_bytes;
  fields["devices_retired"] = counters.devices_retired;
  return fields;
}

FieldsList all_backends() {
  std::vector<Backend> all;
  {
    const Unlocked unlocked;
    all = backends();
  }
  FieldsList list;
  for (const Backend& backend : all) {
    Fields fields;
    fields["name"] = backend.name;
    fields["available"] = backend.available;
    fields["unavailable_because"] = backend.unavailable_because;
    fields["devices"] = described(backend.devices);
    fields["isas"] = backend.isas;
    fields["methods"] = backend.methods;
    list.append(fields);
  }
  return list;
}

// Tells Python's garbage collector which objects a Listeners refers to. `self` is the Python object.
int traverse_listeners(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  const Listeners& listeners = *nb::inst_ptr<Listeners>(self);
  Py_VISIT(listeners.progress.ptr());
  Py_VISIT(listeners.message.ptr());
  return 0;
}

// Drops the references of a Listeners, to break a cycle of references that the garbage collector has found.
int clear_listeners(PyObject* self) {
  Listeners& listeners = *nb::inst_ptr<Listeners>(self);
  listeners.progress.reset();
  listeners.message.reset();
  return 0;
}

PyType_Slot kListenersSlots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_listeners)},
                                 {Py_tp_clear, reinterpret_cast<void*>(clear_listeners)},
                                 {0, nullptr}};

}  // namespace

void bind_session(nb::module_& module) {
  nb::class_<Listeners>(module, "Listeners", nb::type_slots(kListenersSlots))
      .def(
          "__init__",
          [](Listeners* self, nb::object progress, nb::object message) {
            new (self) Listeners{std::move(progress), std::move(message)};
          },
          nb::arg("progress").none(), nb::arg("message"));

  nb::class_<Session>(module, "Session")
      .def("__init__", &make_session, nb::kw_only(), nb::arg("devices"), nb::arg("threads"),
           nb::arg("memory"), nb::arg("device_memory").none(), nb::arg("isa"), nb::arg("method"),
           nb::arg("shortcuts"), nb::arg("calibration_cache").none())
      .def("devices", [](const Session& session) { return described(session.devices()); })
      .def("counters", [](const Session& session) { return counted(session.counters()); })
      .def("open", &open, nb::arg("path"), nb::kw_only(), nb::arg("alphabet"), nb::arg("mask"),
           nb::arg("in_memory"), nb::arg("listeners"))
      .def("open_text", &open_text, nb::arg("text"), nb::arg("name"), nb::kw_only(), nb::arg("alphabet"),
           nb::arg("mask"), nb::arg("listeners"))
      .def("open_both", &open_both, nb::arg("first"), nb::arg("second"), nb::kw_only(), nb::arg("alphabet"),
           nb::arg("listeners"))
      .def("make_database", &make_database, nb::arg("inputs"), nb::arg("output"), nb::kw_only(),
           nb::arg("alphabet"), nb::arg("mask"), nb::arg("listeners"))
      .def(
          "prepare",
          [](Session& session, const Database& database, const Listeners& listeners) {
            follow_work(listeners, [&](const RunControl& run) { session.prepare(database, run); });
          },
          nb::arg("database"), nb::kw_only(), nb::arg("listeners"))
      .def("release", &Session::release, nb::arg("database"), nb::call_guard<Unlocked>());
  module.def("masked", &masked, nb::arg("session"), nb::arg("database"), nb::kw_only(), nb::arg("mask"),
             nb::arg("listeners"));
  module.def("backends", &all_backends);
  module.def("processor_name", &processor_name);
  module.def("version", [] { return std::string(version()); });
  module.def("commit", [] { return std::string(commit()); });
}

}  // namespace alnus::python
