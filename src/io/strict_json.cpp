#include "io/strict_json.h"

#include <fmt/format.h>
#include <set>

#include "alnus/text.h"
#include "core/refuse_input.h"
#include "io/sha2.h"

namespace alnus::io {

using nlohmann::json;

json parse_strictly(std::string_view text, const JsonOrigin& origin) {
  if (text.size() > origin.longest_text)
    refuse_input(fmt::format("{} is longer than any {}. Check that this is the file that you mean.",
                             origin.file, origin.kind));
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      refuse_input(fmt::format("{}: the key {} comes twice in an object. Take the {} as alnus wrote it.",
                               origin.file, in_quotes(parsed.get<std::string>()), origin.kind));
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::parse_error& error) {  // its own text would show bytes of the file
    refuse_input(fmt::format("{} is not JSON from byte {} on. Give the {} that {} wrote.", origin.file,
                             error.byte, origin.kind, origin.writer));
  } catch (const json::out_of_range&) {  // a number beyond a double
    refuse_input(fmt::format("{} has a number that is larger than any count. Take the {} as alnus wrote it.",
                             origin.file, origin.kind));
  }
}

void JsonValue::require_keys(std::initializer_list<const char*> keys) const {
  if (!value_.is_object()) refuse("must be an object");
  const std::set<std::string> known(keys.begin(), keys.end());
  for (const std::string& key : known)
    if (!value_.contains(key)) member_error(key, "is missing");
  for (const auto& [key, value] : value_.items())
    if (!known.contains(key)) member_error(key, fmt::format("is no member of a {}", origin_.kind));
}

JsonValue JsonValue::at(const std::string& key) const {
  return {value_.at(key), origin_, path_.empty() ? key : fmt::format("{}.{}", path_, key)};
}

void JsonValue::for_each(const std::function<void(const JsonValue&)>& use) const {
  if (!value_.is_array()) refuse("must be an array");
  for (std::size_t k = 0; k < value_.size(); ++k)
    use(JsonValue(value_[k], origin_, fmt::format("{}[{}]", path_, k)));
}

std::string JsonValue::text() const {
  if (!value_.is_string()) refuse("must be a text");
  return value_.get<std::string>();
}

std::string JsonValue::name() const {
  std::string name = text();
  if (name.empty()) refuse("must not be empty");
  return name;
}

std::string JsonValue::digest() const {
  std::string digest = text();
  if (!is_sha256(digest)) refuse("must be a SHA-256: 64 hexadecimal digits in lower case");
  return digest;
}

std::uint64_t JsonValue::count(std::uint64_t most) const {
  if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > most)
    refuse(fmt::format("must be a whole number from 0 to {}", most));
  return value_.get<std::uint64_t>();
}

void JsonValue::require(std::string_view wanted) const {
  if (text() != wanted) refuse(fmt::format("must be {}", in_quotes(wanted)));
}

void JsonValue::refuse(std::string_view what) const {
  constexpr std::size_t kShown = 60;  // bytes
  std::string shown = value_.dump();
  if (shown.size() > kShown) shown = shown.substr(0, kShown) + "...";
  refuse_input(fmt::format("{}: {} {}, but is {}. Take the {} as alnus wrote it.", origin_.file,
                           path_.empty() ? "the text" : path_, what, printable(shown), origin_.kind));
}

void JsonValue::member_error(const std::string& key, std::string_view what) const {
  refuse_input(
      fmt::format("{}: {}{}{} {}. Take the {} as alnus wrote it, and a version of alnus that knows "
                  "its format.",
                  origin_.file, path_, path_.empty() ? "" : ".", printable(key), what, origin_.kind));
}

}  // namespace alnus::io
