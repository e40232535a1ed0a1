// Letters of the HTML report: pieces of sequences, in blocks (docs/report-format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "alnus/sequence_set.h"

namespace alnus::io {

// A range of a sequence. `number`: the number by which the report knows the sequence; `index`: its place in
// its set.
struct LetterRange {
  SequenceSet::Index number, index;
  std::size_t begin, end;
};

// Sorts ranges by number and begin, and joins those that overlap or touch.
std::vector<LetterRange> joined(std::vector<LetterRange> ranges);

// Cuts ranges into blocks of at most `most` letters. A range that does not fit goes on in the next block.
// Ranges without letters are left out.
std::vector<std::vector<LetterRange>> letter_blocks(const std::vector<LetterRange>& ranges,
                                                    std::size_t most = 262'144);

// The JSON of a block.
std::string letters_json(const std::vector<LetterRange>& block, const SequenceSet& sequences);

}  // namespace alnus::io
