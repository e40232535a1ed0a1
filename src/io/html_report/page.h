// The sources of the report's page (src/io/report_page), which are compiled in.
#pragma once

#include <string>
#include <string_view>

namespace alnus::io {

std::string_view report_template();  // page.html, with placeholders
std::string_view report_style();     // page.css
std::string_view report_script();    // all scripts, joined in the order of docs/report-format.md

// The page's Content-Security-Policy, which allows exactly this style and this script, by their SHA-256.
std::string report_policy();

}  // namespace alnus::io
