#include "io/ledger.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <xxhash.h>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/atomic_file.h"

namespace alnus::io {
namespace {

constexpr int kVersion = 1;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::other, message); }

nlohmann::json to_json(const Ledger& ledger) {
  return {{"alnus_ledger", kVersion},
          {"run", ledger.run},
          {"stripe_cells", ledger.stripe_cells},
          {"memory_bytes", ledger.memory_bytes},
          {"next_row", ledger.next_row},
          {"left", ledger.left},
          {"listed", ledger.listed},
          {"empty", ledger.empty},
          {"outputs", ledger.outputs},
          {"finished", ledger.finished}};
}

Ledger from_json(const nlohmann::json& json) {
  Ledger ledger;
  json.at("run").get_to(ledger.run);
  json.at("stripe_cells").get_to(ledger.stripe_cells);
  json.at("memory_bytes").get_to(ledger.memory_bytes);
  json.at("next_row").get_to(ledger.next_row);
  json.at("left").get_to(ledger.left);
  json.at("listed").get_to(ledger.listed);
  json.at("empty").get_to(ledger.empty);
  json.at("outputs").get_to(ledger.outputs);
  json.at("finished").get_to(ledger.finished);
  return ledger;
}

}  // namespace

LedgerDirectory::LedgerDirectory(std::string path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) fail(fmt::format("Cannot make the directory {}: {}.", path_, error.message()));
}

std::string ledger_file(const std::string& directory) {
  return (std::filesystem::path(directory) / "ledger.json").string();
}

std::string LedgerDirectory::file() const { return ledger_file(path_); }

std::optional<Ledger> LedgerDirectory::load() const {
  std::error_code error;
  if (!std::filesystem::exists(file(), error)) return std::nullopt;
  std::ifstream in(file());
  if (!in) fail(fmt::format("Cannot read {}: {}.", file(), std::generic_category().message(errno)));
  try {
    const nlohmann::json json = nlohmann::json::parse(in);
    if (json.at("alnus_ledger") != kVersion)
      fail(fmt::format("{} was written by another version of alnus; remove it to start anew.", file()));
    return from_json(json);
  } catch (const nlohmann::json::exception& damage) {
    fail(fmt::format("{} is damaged ({}); remove it to start anew.", file(), damage.what()));
  }
}

void LedgerDirectory::save(const Ledger& ledger) {
  std::string text;
  try {
    text = to_json(ledger).dump(1) + '\n';
  } catch (const nlohmann::json::exception&) {
    fail(fmt::format("{} cannot be written: a name of an output in it is not UTF-8.", file()));
  }
  AtomicFile out(file());
  out.write(text.data(), text.size());
  out.commit();
}

const std::pair<std::string, std::string>* first_difference(const Ledger& kept, const Ledger& wanted) {
  const auto [in_kept, in_wanted] = std::ranges::mismatch(kept.run, wanted.run);
  return in_wanted == wanted.run.end() ? nullptr : &*in_wanted;
}

std::string digest_of(std::span<const SequenceSet> sets, const StopFlag& stop) {
  constexpr std::uint64_t kPiece = 64 << 20;
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), XXH3_freeState);
  XXH3_128bits_reset(state.get());
  for (const SequenceSet& set : sets) {
    for (SequenceSet::Index i = 0; i < set.size(); ++i) {
      const SequenceView sequence = set[i];
      const std::uint64_t lengths[] = {sequence.header.size(), sequence.size()};
      XXH3_128bits_update(state.get(), lengths, sizeof lengths);
      XXH3_128bits_update(state.get(), sequence.header.data(), sequence.header.size());
      in_pieces(sequence.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
        XXH3_128bits_update(state.get(), sequence.residues.data() + begin, end - begin);
      });
    }
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace alnus::io
