// Blocks of the HTML report: named data, deflated and in base64, in script elements that no browser runs
// (docs/report-format.md).
#pragma once

#include <string>
#include <string_view>

namespace alnus::io {

std::string base64(std::string_view bytes);  // RFC 4648, with + and /, padded

// The line of a block, with its line feed. `name`: of ASCII letters, digits and '-'.
std::string report_block(std::string_view name, std::string_view bytes);

}  // namespace alnus::io
