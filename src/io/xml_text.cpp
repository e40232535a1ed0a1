// No XML library is used: those in Debian only escape markup, which is the smallest part here, and leave to
// their callers which bytes and characters XML forbids. The elements are written like the other formats, a
// piece at a time.
#include "io/xml_text.h"

#include <algorithm>
#include <string>

#include "io/json_text.h"

namespace alnus::io {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }

void append_character(Text& text, char byte) {
  if (byte == '<')
    append(text, "&lt;");
  else if (byte == '>')
    append(text, "&gt;");
  else if (byte == '&')
    append(text, "&amp;");
  else if (byte == '\n' ||
           byte == '\r')  // as numbers, so that no line end is normalised and none begins a line
    append(text, byte == '\n' ? "&#10;" : "&#13;");
  else if (byte == '\x01')
    append(text, " &gt;");
  else if (is_ascii(byte) && byte < ' ' && byte != '\t')
    append(text, kReplacement);
  else
    append(text, byte);
}

}  // namespace

void append_xml(Text& text, std::string_view words) {
  if (std::ranges::all_of(words, is_ascii)) {
    for (const char byte : words) append_character(text, byte);
    return;
  }
  const std::string valid = as_utf8(words);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const std::string_view character = std::string_view(valid).substr(i, 3);
    if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") {  // U+FFFE and U+FFFF
      append(text, kReplacement);
      i += 2;
    } else {
      append_character(text, valid[i]);
    }
  }
}

}  // namespace alnus::io
