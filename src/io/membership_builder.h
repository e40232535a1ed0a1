// Collects the members of a membership while a file is read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "io/membership.h"

namespace alnus::io {

class MembershipBuilder {
 public:
  MembershipBuilder(MembershipFormat format, const std::string& file);

  std::uint32_t set(std::string_view name);  // the index of the set with this name, which is made if need be
  bool has_set(std::string_view name) const;
  // Returns the member's index. Throws Error(input) naming both lines if the id has come already.
  std::uint32_t add(std::string_view id, std::uint32_t set, std::uint64_t line);
  void choose_representative(std::uint32_t set, std::uint32_t member);
  const Membership& membership() const { return membership_; }
  Membership finish();

 private:
  Membership membership_;
  std::unordered_map<std::string, std::uint32_t> sets_, members_;  // indices by names and ids
};

}  // namespace alnus::io
