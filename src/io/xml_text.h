// Text as XML 1.0 can hold it.
#pragma once

#include <string_view>

#include "io/row_text.h"

namespace alnus::io {

// Appends the words with <, > and & escaped. Bytes that are not UTF-8 and characters that XML forbids become
// U+FFFD. Control-A, which separates titles of identical sequences in NCBI's files, becomes " >", as in
// BLAST's output.
void append_xml(Text& text, std::string_view words);

}  // namespace alnus::io
