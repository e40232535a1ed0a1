#include "api/support/forged_parts.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

namespace alnus::test {
namespace {

using Json = nlohmann::ordered_json;

// All values of a JSON text that have no values inside.
void leaves_of(Json& json, std::vector<Json*>& leaves) {
  if (!json.is_structured()) return leaves.push_back(&json);
  for (Json& value : json) leaves_of(value, leaves);
}

void containers_of(Json& json, std::vector<Json*>& containers) {
  if (!json.is_structured() || json.empty()) return;
  containers.push_back(&json);
  for (Json& value : json) containers_of(value, containers);
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

}  // namespace

std::vector<Chunk> chunks_of(const std::string& path) {
  std::vector<Chunk> chunks;
  for (io::PartFileReader part(path); !part.at_end(); part.next())
    chunks.push_back({part.kind(), std::string(part.read().text())});
  return chunks;
}

void write_chunks(const std::string& path, const std::vector<Chunk>& chunks) {
  io::PartFileWriter part(path);
  for (const Chunk& chunk : chunks) part.add(chunk.kind, std::string_view(chunk.bytes));
  part.commit();
}

io::ChunkBytes chunk_of(const io::Packer& packer) {
  const std::span<const std::byte> bytes = packer.bytes();
  const auto words = std::make_shared<std::vector<std::uint64_t>>(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words->data(), bytes.data(), bytes.size());
  return {words, bytes.size()};
}

CutPart cut_part(const std::string& bytes) {
  constexpr std::size_t kMagic = 16;
  CutPart part{bytes.substr(0, kMagic), {}};
  for (std::size_t at = kMagic; at < bytes.size(); at += part.chunks.back().size()) {
    io::ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    part.chunks.push_back(bytes.substr(at, sizeof header + header.stored));
  }
  return part;
}

std::uint64_t Forger::odd_number() {
  constexpr std::uint64_t kNumbers[] = {0,
                                        1,
                                        2,
                                        255,
                                        0x7fffffff,
                                        0x80000000,
                                        0xffffffff,
                                        0x100000000,
                                        std::uint64_t{1} << 40,
                                        0x7ff0000000000000,  // as a double: infinite
                                        0x7ff8000000000000,  // as a double: no number
                                        0x7fffffffffffffff,
                                        0x8000000000000000,
                                        0xffffffffffffffff};
  const std::size_t k = below(std::size(kNumbers) + 3);
  if (k < std::size(kNumbers)) return kNumbers[k];
  return k == std::size(kNumbers) ? random_() : random_() % (k == std::size(kNumbers) + 1 ? 256 : 65536);
}

std::string Forger::change_json(std::string& text) {
  Json json = Json::parse(text);
  std::vector<Json*> leaves, containers;
  leaves_of(json, leaves);
  containers_of(json, containers);
  Json& leaf = *leaves[below(leaves.size())];
  std::string what;
  switch (below(8)) {
    case 0:
      what = "a removed value";
      if (Json& from = *containers[below(containers.size())]; !from.empty())
        from.erase(std::next(from.begin(), static_cast<std::ptrdiff_t>(below(from.size()))));
      break;
    case 1:
      what = "another type";
      leaf = Json::parse(
          std::vector<std::string>{"null", "true", "\"a\"", "[]", "{}", "1.5", "1e308", "-1"}[below(8)]);
      break;
    case 2:
      what = "a small number";
      leaf = static_cast<std::int64_t>(below(300)) - 10;
      break;
    case 3:
      what = "a nested text";
      text = std::string(text.size(), '[');
      return what;
    default: {  // any container, as the values of a matrix are many and the others few
      Json& container = *containers[below(containers.size())];
      auto at = std::next(container.begin(), static_cast<std::ptrdiff_t>(below(container.size())));
      what = "a number in " + std::string(container.is_object() ? at.key() : "an array");
      if (below(2) == 0)
        *at = odd_number();
      else
        *at = static_cast<std::int64_t>(odd_number());
    }
  }
  text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return what;
}

std::string Forger::change_bytes(std::string& bytes) {
  if (bytes.empty()) {
    bytes = bytes_of(odd_number());
    return "a word in place of nothing";
  }
  const std::size_t byte = below(bytes.size()), word = byte / 8 * 8;
  const std::string where = " at byte " + std::to_string(byte);
  switch (below(9)) {
    case 0:
      bytes[byte] = static_cast<char>(bytes[byte] ^ (1 << below(8)));
      return "a flipped bit" + where;
    case 1:
      bytes[byte] = static_cast<char>(random_());
      return "another byte" + where;
    case 2: {
      const std::string half = bytes_of(static_cast<std::uint32_t>(odd_number()));
      bytes.replace(byte / 4 * 4, half.size(), half);
      return "another number" + where;
    }
    case 3: {
      const std::string all = bytes_of(odd_number());
      bytes.replace(word, all.size(), all);
      return "another word" + where;
    }
    case 4: {  // a small word may be an array's number of elements
      std::uint64_t value = 0;
      if (word + 8 <= bytes.size()) std::memcpy(&value, bytes.data() + word, sizeof value);
      const std::string changed = bytes_of(below(2) == 0 ? value + 1 + below(8) : value - 1 - below(8));
      bytes.replace(word, changed.size(), changed);
      return "a number that is off" + where;
    }
    case 5:
      bytes.insert(word, bytes_of(odd_number()));
      return "a new word" + where;
    case 6:
      bytes.erase(word, 8 * (1 + below(4)));
      return "missing words" + where;
    case 7: {
      const std::size_t other = below(bytes.size()) / 8 * 8, count = 8 * (1 + below(8));
      bytes.replace(word, count, bytes.substr(other, count));
      return "words from byte " + std::to_string(other) + where;
    }
    default:
      bytes.resize(word + (below(4) == 0 ? 8 * below(1 << 16) : 0), static_cast<char>(random_()));
      return "another end" + where;
  }
}

std::string Forger::change(std::vector<Chunk>& chunks) {
  Chunk& chunk = chunks[below(chunks.size())];
  const bool is_text = chunk.bytes.starts_with('{');
  std::string what = is_text && below(8) != 0 ? change_json(chunk.bytes) : change_bytes(chunk.bytes);
  if (below(4) == 0) what += ", " + change_bytes(chunk.bytes);
  return "chunk of kind " + std::to_string(static_cast<int>(chunk.kind)) + ": " + what;
}

std::uint64_t peak_memory() {
  std::ifstream in("/proc/self/status");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) << 10;
  return std::numeric_limits<std::uint64_t>::max();
}

void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace alnus::test
