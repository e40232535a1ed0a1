// Translates errors of the library to the exceptions of alnus/_errors.py.
#include <exception>
#include <string>
#include <string_view>

#include "alnus/error.h"
#include "alnus/output.h"
#include "bindings.h"

namespace alnus::python {
namespace {

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::input:
      return "InputError";
    case ErrorKind::database:
      return "DatabaseError";
    case ErrorKind::device:
      return "DeviceError";
    case ErrorKind::memory:
      return "OutOfMemoryError";
    case ErrorKind::other:
      break;
  }
  return "OutputError";
}

void raise(const char* name, const std::string& what) {
  const nb::object type = nb::module_::import_("alnus._errors").attr(name);
  PyErr_SetString(type.ptr(), what.c_str());
}

}  // namespace

// Most options have the same name in the library and in Python. These have another one in Python.
std::string argument_name(std::string_view identifier) {
  if (identifier == "statistics") return "stats";
  if (identifier == "strands") return "strand";
  if (identifier == "outfmt") return "format";
  if (identifier == "shuffle") return "shuffled";
  if (identifier == "identity") return "denominator";
  if (identifier == "matrix_out") return "matrices";
  if (identifier == "self") return "with_self";
  return std::string(identifier);
}

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(name_of(error.kind()), render_options(error.marked(), argument_name));
    } catch (const Interrupted& interrupted) {
      raise("Cancelled", interrupted.what());
    } catch (const ClosedPipe&) {
      PyErr_SetString(PyExc_BrokenPipeError, "The reader of standard output went away.");
    }
  });
}

}  // namespace alnus::python
