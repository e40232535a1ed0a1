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
  // Output that cannot be written, a session of the parent used after fork, internal errors: exit code 255.
  other = 255
};

// The name of an option as it stands in a message: marked, so that each program can show the name that its
// users know. The identifier is the program's flag with '_' for '-', which is also the name of most fields:
// option("max_target_seqs"). The one exception is "statistics", which is the program's --stats.
ALNUS_API std::string option(std::string_view identifier);
// The text with each marked option replaced by `name_of` its identifier, such as "--max-target-seqs".
ALNUS_API std::string render_options(std::string_view marked,
                                     const std::function<std::string(std::string_view identifier)>& name_of);
// What the program calls an option: "--max-target-seqs", "--stats", "-o".
ALNUS_API std::string flag_of(std::string_view identifier);
// The text with each marked option replaced by its identifier.
ALNUS_API std::string plain_text(std::string_view marked);

// `what()` is a full sentence for the user: it names the file, record, byte or device, and what to do.
class ALNUS_API Error : public std::runtime_error {
 public:
  // `message` may hold marked options (option()).
  Error(ErrorKind kind, const std::string& message)
      : std::runtime_error(plain_text(message)), kind_(kind), marked_(message) {}
  ErrorKind kind() const noexcept { return kind_; }
  const std::string& marked() const noexcept { return marked_; }

 private:
  ErrorKind kind_;
  std::string marked_;
};

// Thrown by a call that was cancelled, which has no result. The session can be used again.
class ALNUS_API Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "The call was cancelled."; }
};

}  // namespace alnus
