// The names of presets (ScoringOptions::preset).
#pragma once

#include <string>

namespace alnus {

// Throws Error(input), with the nearest name, if there is no such preset. The empty name is that of none.
void check_preset(const std::string& name);

}  // namespace alnus
