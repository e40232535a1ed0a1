// Manual pages, from the descriptions that --help shows.
#pragma once

#include <chrono>
#include <string>

namespace CLI {
class App;
}

namespace alnus::cli {

// "alnus-bench-search"
std::string page_name(const CLI::App& app);

// The page of the program, a group or a command, in section 1, as mdoc(7) has it.
std::string man_page(const CLI::App& app, std::chrono::year_month_day date);

}  // namespace alnus::cli
