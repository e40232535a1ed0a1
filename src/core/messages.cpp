// Messages with marked options: a marked identifier stands between two control characters.
#include <algorithm>

#include "alnus/error.h"
#include "alnus/run.h"

namespace alnus {
namespace {

constexpr char kBegin = '\x02', kEnd = '\x03';

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
    text += marked.substr(0, begin);
    marked.remove_prefix(begin);
    if (marked.empty()) break;
    const std::size_t end = std::min(marked.find(kEnd), marked.size());
    text += name_of(marked.substr(1, end - 1));
    marked.remove_prefix(std::min(end + 1, marked.size()));
  }
  return text;
}

std::string plain_text(std::string_view marked) {
  return render_options(marked, [](std::string_view identifier) { return std::string(identifier); });
}

std::string Message::text() const { return plain_text(marked); }

std::string Message::text(const std::function<std::string(std::string_view)>& name_of) const {
  return render_options(marked, name_of);
}

}  // namespace alnus
