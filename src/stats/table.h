// Tables of figures that are compiled in.
#pragma once

#include <string_view>
#include <vector>

namespace alnus::stats {

// The lines below the comments and the header, split at tabs.
std::vector<std::vector<std::string_view>> table_rows(std::string_view text);

double number(std::string_view text);

}  // namespace alnus::stats
