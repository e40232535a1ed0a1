// Helpers for the tests of memberships.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "alnus/error.h"
#include "io/membership.h"

namespace alnus::io {

inline Membership read_text_membership(std::string_view text) {
  return read_membership(Input(text, "input"));
}

// "id in set", for each member.
inline std::vector<std::string> as_pairs(const Membership& membership) {
  std::vector<std::string> pairs;
  for (const Membership::Member& member : membership.members)
    pairs.push_back(member.id + " in " + membership.sets[member.set].name);
  return pairs;
}

// The id of the representative of each set, or "-".
inline std::vector<std::string> representatives(const Membership& membership) {
  std::vector<std::string> ids;
  for (const MembershipSet& set : membership.sets)
    ids.push_back(set.representative ? membership.members[*set.representative].id : "-");
  return ids;
}

// Records of the protein ACD with these headers.
inline SequenceSet records(const std::vector<std::string>& headers,
                           AlphabetKind alphabet = AlphabetKind::protein) {
  SequenceSetBuilder builder(alphabet, "s.fa");
  for (const std::string& header : headers) builder.add_text(header, "ACD");
  return builder.finish();
}

// The message of the Error(input) that `action` throws, or "".
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

}  // namespace alnus::io
