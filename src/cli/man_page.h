// Manual pages, from the descriptions that --help shows.
#pragma once

#include <chrono>
#include <string>

namespace CLI {
class App;
}

namespace alnus::cli {

// The name of an app's manual page: "alnus-bench-search".
std::string page_name(const CLI::App& app);

// The manual page of the program, a group or a command, for section 1, in the language of mdoc(7).
std::string man_page(const CLI::App& app, std::chrono::year_month_day date);

}  // namespace alnus::cli
