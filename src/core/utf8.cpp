#include "core/utf8.h"

#include <array>
#include <cstdint>

namespace alnus {

std::size_t utf8_character_bytes(std::string_view text) {
  struct Form {
    unsigned char mask, lead;
    std::size_t bytes;
    std::uint32_t lowest;  // the lowest character that needs so many bytes
  };
  static constexpr std::array<Form, 4> kForms = {
      {{0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}}};
  const auto lead = static_cast<unsigned char>(text.front());
  for (const Form& form : kForms) {
    if ((lead & form.mask) != form.lead) continue;
    if (text.size() < form.bytes) return 0;
    std::uint32_t character = lead & static_cast<unsigned char>(~form.mask);
    for (const char next : text.substr(1, form.bytes - 1)) {
      const auto byte = static_cast<unsigned char>(next);
      if ((byte & 0xc0) != 0x80) return 0;
      character = character << 6 | (byte & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character < 0xe000;
    return character < form.lowest || character > 0x10ffff || surrogate ? 0 : form.bytes;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t bytes = utf8_character_bytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace alnus
