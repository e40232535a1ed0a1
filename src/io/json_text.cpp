#include "io/json_text.h"

#include <nlohmann/json.hpp>

namespace alnus::io {

using nlohmann::json;

std::string as_json(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string as_utf8(std::string_view text) { return json::parse(as_json(text)).get<std::string>(); }

}  // namespace alnus::io
