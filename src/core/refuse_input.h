#pragma once

#include <string>

#include "alnus/error.h"

namespace alnus {

// Throws the error of an input, an option or a name that the user must change.
[[noreturn]] inline void refuse_input(const std::string& message) { throw Error(ErrorKind::input, message); }

}  // namespace alnus
