// A part of the summary that a report shows: lines, a table, a histogram, or a document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace alnus {

// `kind` says which of the members below `note` it has. Texts may have any bytes.
struct ReportSection {
  enum class Kind : std::uint8_t { text, table, bars, document };
  struct Bar {
    std::string label;
    std::uint64_t number = 0;
    std::string more{};  // such as the percentage; may be empty
  };
  Kind kind = Kind::text;
  std::string title{};
  std::string note{};                            // a paragraph below a table or a histogram; may be empty
  std::vector<std::string> lines{};              // text
  std::vector<std::string> columns{};            // table: the names of its columns; empty: they have none
  std::vector<std::vector<std::string>> rows{};  // table: a text for each column
  std::string label{}, unit{};                   // bars: what the labels and the numbers are
  std::vector<Bar> bars{};
  std::string name{}, text{};  // document: a file name, and what the file has
};

}  // namespace alnus
