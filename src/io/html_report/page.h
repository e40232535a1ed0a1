// The sources of the report's page (src/io/report_page), which are compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/embedded.h"

namespace alnus::io {

std::span<const EmbeddedFile> report_page_files();  // paths are names in src/io/report_page

// The names of the scripts, in the order in which they are joined (docs/report-format.md).
std::span<const std::string_view> report_script_names();

std::string_view report_template();  // page.html, with placeholders
std::string_view report_style();     // page.css
std::string_view report_script();    // all scripts

// The page's Content-Security-Policy, which allows exactly this style and this script, by their SHA-256.
std::string report_policy();

}  // namespace alnus::io
