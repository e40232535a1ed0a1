#include "io/ledger.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "alnus/error.h"
#include "core/pieces.h"
#include "io/atomic_file.h"
#include "io/digest.h"
#include "io/format_hash.h"
#include "io/json_values.h"

namespace alnus::io {
namespace {

// The version of the format, and a hash of the options that describe a run.
std::string version() {
  Fnv1a hash;
  add_options(hash);
  return fmt::format("8.{:08x}", hash.value());
}

[[noreturn]] void refuse_ledger(const std::string& message) { throw Error(ErrorKind::other, message); }

// The digest of everything in the file but the digest itself, whatever the file's layout.
std::string digest_of(nlohmann::json json) {
  json.erase("digest");
  const std::string text = json.dump();
  Digest digest;
  digest.add(text.data(), text.size());
  return digest.text();
}

nlohmann::json to_json(const Ledger& ledger) {
  nlohmann::json outputs = nlohmann::json::object();
  for (const auto& [name, state] : ledger.outputs)
    outputs[name] = {{"bytes", state.bytes}, {"digest", state.digest}};
  nlohmann::json json = {{"alnus_ledger", version()},
                         {"run", ledger.run},
                         {"stripe_cells", ledger.stripe_cells},
                         {"pair_cost", ledger.pair_cost},
                         {"memory_bytes", ledger.memory_bytes},
                         {"next_row", ledger.next_row},
                         {"left", ledger.left},
                         {"listed", ledger.listed},
                         {"empty", ledger.empty},
                         {"edges", ledger.edges},
                         {"outputs", outputs},
                         {"finished", ledger.finished}};
  json["digest"] = digest_of(json);
  return json;
}

Ledger from_json(const nlohmann::json& json) {
  Ledger ledger;
  json.at("run").get_to(ledger.run);
  json.at("stripe_cells").get_to(ledger.stripe_cells);
  json.at("pair_cost").get_to(ledger.pair_cost);
  ledger.memory_bytes = whole<std::uint64_t>(json.at("memory_bytes"));
  ledger.next_row = whole<std::uint32_t>(json.at("next_row"));
  json.at("left").get_to(ledger.left);
  ledger.listed = whole<std::uint64_t>(json.at("listed"));
  ledger.empty = whole<std::uint64_t>(json.at("empty"));
  ledger.edges = whole<std::uint64_t>(json.at("edges"));
  for (const auto& [name, state] : json.at("outputs").items())
    ledger.outputs[name] = {whole<std::uint64_t>(state.at("bytes")), state.at("digest").get<std::string>()};
  json.at("finished").get_to(ledger.finished);
  return ledger;
}

std::string made(std::string directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) refuse_ledger(fmt::format("Cannot make the directory {}: {}.", directory, error.message()));
  return directory;
}

}  // namespace

std::string ledger_file(const std::string& directory) {
  return (std::filesystem::path(directory) / "ledger.json").string();
}

LedgerDirectory::LedgerDirectory(std::string path) : path_(made(std::move(path))), lock_(path_) {}

std::string LedgerDirectory::file() const { return ledger_file(path_); }

void LedgerDirectory::refuse(const std::string& damage) const {
  refuse_ledger(fmt::format("{} is damaged ({}); remove it to start anew.", file(), damage));
}

std::optional<Ledger> LedgerDirectory::load() const {
  std::error_code error;
  if (!std::filesystem::exists(file(), error)) return std::nullopt;
  if (!std::filesystem::is_regular_file(file(), error))
    refuse_ledger(fmt::format("{} is no file; remove it, or choose another directory.", file()));
  std::ifstream in(file());
  if (!in) refuse_ledger(fmt::format("Cannot read {}: {}.", file(), std::generic_category().message(errno)));
  try {
    const nlohmann::json json = nlohmann::json::parse(in);
    if (!json.is_object() || !json.contains("alnus_ledger")) refuse("it is no ledger of alnus");
    if (json.at("alnus_ledger") != version())
      refuse_ledger(fmt::format(
          "{} was written by another version of alnus: its format is {}, that of this version is \"{}\". "
          "Finish the run with that version, or remove the file to start anew.",
          file(), json.at("alnus_ledger").dump(), version()));
    if (json.at("digest") != digest_of(json)) refuse("it was edited: its digest does not match");
    return from_json(json);
  } catch (const nlohmann::json::parse_error& damage) {  // its own text would show bytes of the file
    refuse(fmt::format("it is not JSON from byte {} on", damage.byte));
  } catch (const nlohmann::json::exception& damage) {
    refuse(damage.what());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;  // of this function itself
    refuse(error.what());                         // of a value that whole() refuses
  }
}

void LedgerDirectory::save(const Ledger& ledger) {
  std::string text;
  try {
    text = to_json(ledger).dump(1) + '\n';
  } catch (const nlohmann::json::exception&) {
    refuse_ledger(fmt::format("{} cannot be written: a name of an output in it is not UTF-8.", file()));
  }
  AtomicFile out(file());
  out.write(text.data(), text.size());
  out.commit();
}

const std::pair<std::string, std::string>* first_difference(const Ledger& kept, const Ledger& wanted) {
  const auto [in_kept, in_wanted] = std::ranges::mismatch(kept.run, wanted.run);
  if (in_wanted != wanted.run.end()) return &*in_wanted;
  return in_kept == kept.run.end() ? nullptr : &*in_kept;
}

std::string digest_of(std::span<const SequenceSet> sets, const StopFlag& stop) {
  constexpr std::uint64_t kPiece = 64 << 20;
  Digest digest;
  for (const SequenceSet& set : sets) {
    for (SequenceSet::Index i = 0; i < set.size(); ++i) {
      const SequenceView sequence = set[i];
      const std::uint64_t lengths[] = {sequence.header.size(), sequence.size()};
      digest.add(lengths, sizeof lengths);
      digest.add(sequence.header.data(), sequence.header.size());
      if (sequence.id_bytes != SequenceView::kToFirstBlank)
        digest.add(&sequence.id_bytes, sizeof sequence.id_bytes);
      in_pieces(sequence.size(), kPiece, stop, [&](std::uint64_t begin, std::uint64_t end) {
        digest.add(sequence.residues.data() + begin, end - begin);
      });
    }
  }
  return digest.text();
}

}  // namespace alnus::io
