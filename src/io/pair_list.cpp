// Lists of pairs of ids.
#include <fmt/format.h>
#include <optional>
#include <string_view>

#include "alnus/database.h"
#include "alnus/error.h"
#include "alnus/text.h"
#include "core/byte_order_mark.h"
#include "io/byte_source.h"
#include "io/id_check.h"
#include "io/id_index.h"

namespace alnus {
namespace {

SequenceSet::Index find_record(const io::IdIndex& ids, std::string_view id, const std::string& place) {
  const std::string& file = ids.sequences().origin();
  const std::optional<SequenceSet::Index> found = ids.find(id);
  if (!found)
    throw Error(ErrorKind::input, fmt::format("{}: {} has no record {}.", place, file, in_quotes(id)));
  if (ids.is_repeated(id))
    throw Error(ErrorKind::input,
                fmt::format("{}: {} has several records {}; which one is meant is not known.", place, file,
                            in_quotes(id)));
  return *found;
}

constexpr std::string_view kBlanks = " \t";

// Takes the first line off `text`, with its end (LF, CR LF or CR), and returns it without the end.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : text.empty() ? 0 : 1);
  return line;
}

// Takes the first word off `line` and returns it.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

std::vector<IndexPair> read_pair_list(const std::string& path, const SequenceSet& queries,
                                      const SequenceSet& subjects) {
  for (const SequenceSet* set : {&queries, &subjects})
    io::require_ids_without(" \t", *set, "a list of pairs");
  const std::string text = io::read_text(path);
  const io::IdIndex query_ids(queries), subject_ids(subjects);
  std::vector<IndexPair> pairs;
  std::uint64_t number = 0;
  for (std::string_view rest = without_byte_order_mark(text); !rest.empty();) {
    std::string_view line = take_line(rest);
    ++number;
    const std::string_view query = take_word(line);
    if (query.empty() || query.front() == '#') continue;
    const std::string_view subject = take_word(line);
    const std::string place = fmt::format("{}, line {}", path, number);
    if (subject.empty())
      throw Error(ErrorKind::input,
                  fmt::format("{}: a pair is two ids, but there is only {}.", place, in_quotes(query)));
    pairs.push_back({find_record(query_ids, query, place), find_record(subject_ids, subject, place)});
  }
  return pairs;
}

}  // namespace alnus
