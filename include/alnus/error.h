// Errors that alnus throws. The kind decides the exit code of the command line.
#pragma once

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "alnus/export.h"

namespace alnus {

enum class ErrorKind {
  input = 1,     // query, option, matrix or other input: exit code 1
  database = 2,  // the database file or its contents: exit code 2
  device = 3,    // a device or backend that cannot do what was asked: exit code 3
  memory = 4,    // not enough memory: exit code 4
  other = 255    // output that cannot be written, a session of the parent after fork, internal errors: 255
};

// An option as it stands in a message: marked, so that each program can name it as its users know it. The
// identifier is the program's flag with '_', as most fields are called: option("max_target_seqs"). The one
// exception is "statistics", the program's --stats.
ALNUS_API std::string option(std::string_view identifier);
// The text with every marked option as `name_of` has it: "--max-target-seqs", say.
ALNUS_API std::string render_options(std::string_view marked,
                                     const std::function<std::string(std::string_view identifier)>& name_of);
// The text with the identifiers themselves.
ALNUS_API std::string plain_text(std::string_view marked);

// `what()` is a full sentence for the user: it names the file, record, byte or device, and what to do.
class ALNUS_API Error : public std::runtime_error {
 public:
  // Options in `message` may be marked.
  Error(ErrorKind kind, const std::string& message)
      : std::runtime_error(plain_text(message)), kind_(kind), marked_(message) {}
  ErrorKind kind() const noexcept { return kind_; }
  const std::string& marked() const noexcept { return marked_; }

 private:
  ErrorKind kind_;
  std::string marked_;
};

// A call was cancelled, and has no result. The session can be used again.
class ALNUS_API Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "The call was cancelled."; }
};

}  // namespace alnus
