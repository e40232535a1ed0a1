// Messages with marked options: a marked identifier stands between two control characters.
#include <algorithm>

#include "alnus/error.h"
#include "alnus/run.h"
#include "alnus/text.h"

namespace alnus {
namespace {

constexpr char kBegin = '\x02', kEnd = '\x03';

// True for an identifier as option() gets it. The control characters may also come from a file's name.
bool is_identifier(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_0123456789";
  return !text.empty() && text.find_first_not_of(kLetters) == text.npos;
}

}  // namespace

std::string option(std::string_view identifier) {
  std::string marked(1, kBegin);
  marked += identifier;
  marked += kEnd;
  return marked;
}

std::string render_options(std::string_view marked,
                           const std::function<std::string(std::string_view identifier)>& name_of) {
  std::string text;
  while (!marked.empty()) {
    const std::size_t begin = std::min(marked.find(kBegin), marked.size());
    text += printable(marked.substr(0, begin));
    marked.remove_prefix(begin);
    if (marked.empty()) break;
    const std::size_t end = marked.find(kEnd);
    const bool is_option = end != marked.npos && is_identifier(marked.substr(1, end - 1));
    text += is_option ? name_of(marked.substr(1, end - 1)) : printable(marked.substr(0, 1));
    marked.remove_prefix(is_option ? end + 1 : 1);
  }
  return text;
}

std::string flag_of(std::string_view identifier) {
  if (identifier == "output") return "-o";
  if (identifier == "statistics") return "--stats";
  if (identifier == "strands") return "--strand";
  std::string flag = "--" + std::string(identifier);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string plain_text(std::string_view marked) {
  return render_options(marked, [](std::string_view identifier) { return std::string(identifier); });
}

std::string Message::text() const { return plain_text(marked); }

std::string Message::text(const std::function<std::string(std::string_view)>& name_of) const {
  return render_options(marked, name_of);
}

}  // namespace alnus
