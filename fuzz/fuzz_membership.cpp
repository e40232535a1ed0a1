// Takes arbitrary bytes as a membership: the reader must refuse them with an Error(input), or return members
// with distinct ids, each in a set that exists. What the writer of splits makes of a membership, or what the
// writer of MMseqs2's table makes of one with representatives, must be read back as the same.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "alnus/error.h"
#include "io/membership.h"
#include "io/membership_writer.h"
#include "io/output_file.h"

namespace {

using namespace alnus;
using io::Membership;

void check(const Membership& membership) {
  std::set<std::string> ids, names;
  std::uint32_t sets = 0;  // that have appeared so far
  for (const Membership::Member& member : membership.members) {
    if (member.id.empty() || !ids.insert(member.id).second) std::abort();
    if (member.set >= membership.sets.size()) std::abort();
    // Sets are in the order in which they appear first; only .clstr files have empty ones.
    if (member.set > sets && membership.format != io::MembershipFormat::cd_hit) std::abort();
    sets = std::max(sets, member.set + 1);
  }
  for (std::uint32_t s = 0; s < membership.sets.size(); ++s) {
    if (!names.insert(membership.sets[s].name).second) std::abort();
    const auto& chosen = membership.sets[s].representative;
    if (chosen && membership.members[*chosen].set != s) std::abort();
  }
}

SequenceSet records_of(const Membership& membership) {
  SequenceSetBuilder builder(AlphabetKind::protein, "records");
  for (const Membership::Member& member : membership.members) {
    builder.add_text(member.id, "A");
    builder.set_id_bytes(static_cast<std::uint32_t>(member.id.size()));
  }
  return builder.finish();
}

// Reads back what `write` writes, in which the set of each record must be called by the same name.
template <class Write>
void read_back(const Membership& membership, const SequenceSet& records, const Write& write) {
  static ThreadPool pool(1);
  static const std::string path = "/dev/shm/alnus-fuzz-membership-" + std::to_string(::getpid());
  try {
    io::OutputFile out(pool, path);
    write(out);
    out.commit();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
    return;  // an id that the format cannot hold
  }
  const Membership read = io::read_membership(path);
  ::unlink(path.c_str());
  check(read);
  const io::MatchedMembership matched = match(read, io::IdIndex(records));
  if (!matched.unknown.empty() || !matched.without_set.empty()) std::abort();
  for (std::uint32_t m = 0; m < membership.members.size(); ++m)
    if (read.sets[matched.set_of[m]].name != membership.sets[membership.members[m].set].name) std::abort();
}

void round_trip(const Membership& membership) {
  const SequenceSet records = records_of(membership);
  std::vector<std::uint32_t> set_of;
  for (const Membership::Member& member : membership.members) set_of.push_back(member.set);
  std::vector<std::string> names;
  std::vector<SequenceSet::Index> representatives;
  for (const io::MembershipSet& set : membership.sets) {
    names.push_back(set.name);
    if (set.representative) representatives.push_back(*set.representative);
  }
  read_back(membership, records, [&](io::OutputFile& out) { write_split(out, records, {set_of, names}); });
  // A file that begins with > is taken for FASTA or .clstr, and a byte order mark at its begin is left out.
  const std::string first = names.empty() ? "" : names.front();
  if (first.starts_with('>') || first.starts_with("\xef\xbb\xbf")) return;
  if (membership.format == io::MembershipFormat::mmseqs && representatives.size() == names.size())
    read_back(membership, records, [&](io::OutputFile& out) {
      write_mmseqs_clusters(out, records, {set_of, representatives});
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const Membership membership = io::read_membership(io::Input(text, "input"));
    check(membership);
    if (size < 4096) round_trip(membership);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) std::abort();
  }
  return 0;
}
