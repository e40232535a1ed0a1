#include "io/sam_names.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "alnus/error.h"
#include "alnus/text.h"

namespace alnus::io {
namespace {

using Index = SequenceSet::Index;

constexpr std::size_t kLongestQueryName = 254;
constexpr std::string_view kNoName = "*";

constexpr bool is_printable(char c) { return c >= '!' && c <= '~'; }

[[noreturn]] void refuse_queries(const std::string& one, const std::string& other, const std::string& name) {
  throw Error(ErrorKind::input,
              fmt::format("{} and {} would both be the read {} of SAM, which cuts names at {} bytes and has "
                          "'_' in place of bytes that it does not allow. Rename one, or choose another "
                          "output format.",
                          one, other, in_quotes(name), kLongestQueryName));
}

std::string record(const SequenceSet& set, Index i) {
  return fmt::format("record {} ({})", static_cast<std::uint64_t>(set.file_ordinal(i)) + 1,
                     in_quotes(set[i].id()));
}

}  // namespace

std::string sam_query_name(std::string_view id) {
  std::string name(id.empty() ? kNoName : id.substr(0, kLongestQueryName));
  for (char& c : name)
    if (!is_printable(c) || c == '@') c = '_';
  return name;
}

std::string sam_reference_name(std::string_view id) {
  std::string name(id.empty() ? "_" : id);
  for (char& c : name)
    if (!is_printable(c) || std::string_view("\\,\"`'()[]{}<>").find(c) != std::string_view::npos) c = '_';
  if (name.front() == '*' || name.front() == '=') name.front() = '_';
  return name;
}

void check_sam_queries(const SequenceSet& queries) {
  std::unordered_map<std::string, Index> changed;  // names that are not the ids of their queries
  const auto refuse = [&](Index one, Index other, const std::string& name) {
    if (queries.file_ordinal(other) < queries.file_ordinal(one)) std::swap(one, other);
    refuse_queries(fmt::format("{}: {}", queries.origin(), record(queries, one)), record(queries, other),
                   name);
  };
  for (Index i = 0; i < queries.size(); ++i) {
    const std::string_view id = queries[i].id();
    const std::string name = sam_query_name(id);
    if (name == id || name == kNoName) continue;
    const auto [known, is_new] = changed.try_emplace(name, i);
    if (!is_new && queries[known->second].id() != id) refuse(known->second, i, name);
  }
  if (changed.empty()) return;
  for (Index i = 0; i < queries.size(); ++i) {
    const std::string name(queries[i].id());
    const auto known = changed.find(name);
    if (known != changed.end()) refuse(known->second, i, name);
  }
}

void check_sam_subjects(const SequenceSet& subjects) {
  std::unordered_map<std::string, Index> names;
  for (Index i = 0; i < subjects.size(); ++i) {
    const auto [known, is_new] = names.try_emplace(sam_reference_name(subjects[i].id()), i);
    if (is_new) continue;
    Index one = known->second, other = i;
    if (subjects.file_ordinal(other) < subjects.file_ordinal(one)) std::swap(one, other);
    throw Error(ErrorKind::input,
                fmt::format("Two sequences of {} are named {} (as SAM writes it), and SAM needs a name for "
                            "each: {} and {}. Rename one, or choose another output format.",
                            subjects.origin(), known->first, record(subjects, one), record(subjects, other)));
  }
}

SamQueryNames::Hash SamQueryNames::hash_of(std::string_view text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.low64, hash.high64};
}

void SamQueryNames::add(std::string_view id, const std::string& query, std::uint64_t record) {
  const std::string name = sam_query_name(id);
  // A name with neither '_' nor the greatest length is its own id, and nothing else is made into it.
  if (name == kNoName || (name.find('_') == name.npos && name.size() < kLongestQueryName)) return;
  const Hash own = hash_of(id);
  const auto [known, is_new] = names_.try_emplace(hash_of(name), Known{own, record});
  if (!is_new && known->second.id != own)
    refuse_queries(query, fmt::format("record {}", known->second.record), name);
}

}  // namespace alnus::io
