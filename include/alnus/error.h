// Errors that alnus throws. The kind decides the exit code of the command line.
#pragma once

#include <stdexcept>
#include <string>

namespace alnus {

enum class ErrorKind {
  input = 1,     // query, option, matrix or other input: exit code 1
  database = 2,  // the database file or its contents: exit code 2
  device = 3,    // a device or backend that cannot do what was asked: exit code 3
  memory = 4,    // not enough memory: exit code 4
  other = 255    // output that cannot be written, internal errors: exit code 255
};

// `what()` is a full sentence for the user: it names the file, record, byte or device, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace alnus
