// Inputs of the tests of alnus allpairs, and the calls that they share.
#pragma once

#include <cstring>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/cli_fixture.h"
#include "cli/replaced_options.h"
#include "support/sequences.h"

namespace alnus::test {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class AllPairs : public CliTest {
 protected:
  AllPairs() {
    write("s.fa", ">w4 four\nWWWW\n>w3\nWWW\n>c\nCCC\n>w2\nWW\n");
    write("t.fa", ">x\nWW\n>y\nCC\n");
  }
  CommandResult allpairs(std::vector<std::string> more) const {
    more.insert(more.begin(), "allpairs");
    return alnus(std::move(more));
  }
  // All pairs of s.fa, with the outputs that `more` names.
  CommandResult of_set(std::vector<std::string> more) const {
    more.insert(more.begin(), "s.fa");
    return allpairs(std::move(more));
  }
  // The scores of all pairs of s.fa as rows.
  CommandResult scores(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"s.fa", "--outfmt", "6 qseqid sseqid score"};
    arguments = with_options(std::move(arguments), more);
    return allpairs(std::move(arguments));
  }
  // Returns the values of a matrix of s.fa that is written to a file. `head` is a text of type or shape that
  // the file's header must have.
  template <class Value>
  std::vector<Value> matrix(const std::vector<std::string>& more, const std::string& head) const {
    std::vector<std::string> arguments = {"s.fa", "--matrix-out", "m.npy", "--quiet"};
    arguments = with_options(std::move(arguments), more);
    const CommandResult result = allpairs(std::move(arguments));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out, "");
    const std::string bytes = read("m.npy");
    EXPECT_THAT(bytes.substr(0, 128), HasSubstr(head));
    std::vector<Value> values((bytes.size() - 128) / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), bytes.data() + 128, bytes.size() - 128);
    return values;
  }
  // Writes a file of 40 sequences that are relatives of each other.
  void write_relatives(const std::string& name) const {
    Random random(7);
    const Residues ancestor = random_sequence(random, 120);
    std::string text;
    for (int k = 0; k < 40; ++k)
      text += ">r" + std::to_string(k) + "\n" + decode(relative(random, ancestor, 8, 8)) + "\n";
    write(name, text);
  }
};

}  // namespace alnus::test
