#include "io/json_text.h"

#include <nlohmann/json.hpp>

namespace alnus::io {

using nlohmann::json;

std::string as_json(std::string_view text) {
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string as_utf8(std::string_view text) { return json::parse(as_json(text)).get<std::string>(); }

std::string isolated(std::string_view name) {
  std::string text;
  bool found = false;
  for (std::size_t k = 0; k < name.size(); ++k) {
    const auto byte = [&](std::size_t i) {
      return k + i < name.size() ? static_cast<unsigned char>(name[k + i]) : 0;
    };
    const bool is_direction = byte(0) == 0xE2 && ((byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
                                                  (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9));
    if (is_direction) {
      text += "\xEF\xBF\xBD";
      found = true;
      k += 2;
    } else {
      text += name[k];
    }
  }
  return found ? "\xE2\x81\xA8" + text + "\xE2\x81\xA9" : text;
}

}  // namespace alnus::io
