// The names of presets (ScoringOptions::preset).
#pragma once

#include <string>

namespace alnus {

// Throws Error(input) with the nearest name if there is no preset of this name. An empty name means no
// preset.
void check_preset(const std::string& name);

}  // namespace alnus
