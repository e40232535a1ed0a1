#include "io/html_report/letters.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <tuple>

#include "alnus/alphabet.h"
#include "io/row_text.h"

namespace alnus::io {

std::vector<LetterRange> joined(std::vector<LetterRange> ranges) {
  std::ranges::sort(ranges, [](const LetterRange& a, const LetterRange& b) {
    return std::tie(a.number, a.begin) < std::tie(b.number, b.begin);
  });
  std::vector<LetterRange> result;
  for (const LetterRange& range : ranges) {
    if (range.begin == range.end) continue;
    if (!result.empty() && result.back().number == range.number && range.begin <= result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  return result;
}

std::vector<std::vector<LetterRange>> letter_blocks(const std::vector<LetterRange>& ranges,
                                                    std::size_t most) {
  std::vector<std::vector<LetterRange>> blocks;
  std::size_t room = 0;
  for (const LetterRange& range : ranges)
    for (std::size_t begin = range.begin; begin < range.end;) {
      if (room == 0) {
        blocks.emplace_back();
        room = most;
      }
      const std::size_t end = std::min(range.end, begin + room);
      blocks.back().push_back({range.number, range.index, begin, end});
      room -= end - begin;
      begin = end;
    }
  return blocks;
}

std::string letters_json(const std::vector<LetterRange>& block, const SequenceSet& sequences) {
  const Alphabet& alphabet = Alphabet::of(sequences.alphabet());
  std::string numbers, starts;
  Text letters;
  for (const LetterRange& piece : block) {
    const char* const comma = numbers.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(numbers), "{}{}", comma, piece.number);
    fmt::format_to(std::back_inserter(starts), "{}{}", comma, piece.begin);
    append(letters, comma);
    append(letters, '"');
    append_letters(letters, sequences[piece.index].residues.subspan(piece.begin, piece.end - piece.begin),
                   alphabet);
    append(letters, '"');
  }
  return fmt::format(R"({{"sequence":[{}],"start":[{}],"letters":[{}]}})", numbers, starts, view(letters));
}

}  // namespace alnus::io
