// The sections of a report as text for a terminal.
#pragma once

#include <span>
#include <string>

#include "alnus/report_section.h"

namespace alnus::cli {

// The lines of a first section without its title; then each section behind an empty line, with its title.
// Names are shown as printable() has them.
std::string text_of(std::span<const ReportSection> sections);

}  // namespace alnus::cli
