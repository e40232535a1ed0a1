// JSON texts that people keep, send and edit: each value is checked before it is used, and messages name the
// value by its path, as in "predicate.subsets[0].records".
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace alnus::io {

// Where a JSON text comes from, for messages.
struct JsonOrigin {
  std::string file;            // the name of the file
  std::string_view kind;       // what the text is: "certificate"
  std::string_view writer;     // who writes such texts: "alnus split"
  std::size_t longest_text{};  // in bytes; a longer text is refused
};

// Parses a text. Throws Error(input) naming the file for what is no JSON, and for objects in which a key
// comes twice: readers of JSON differ in which they take.
nlohmann::json parse_strictly(std::string_view text, const JsonOrigin& origin);

// A value of a text, and its path. Must not outlive the value and the origin. All functions throw
// Error(input) naming file and path for a value that is not as they say.
class JsonValue {
 public:
  JsonValue(const nlohmann::json& value, const JsonOrigin& origin, std::string path = {})
      : value_(value), origin_(origin), path_(std::move(path)) {}

  // Requires an object that has these keys and no others.
  void require_keys(std::initializer_list<const char*> keys) const;
  JsonValue at(const std::string& key) const;  // of an object that has the key
  bool is_null() const { return value_.is_null(); }
  const nlohmann::json& value() const { return value_; }
  void for_each(const std::function<void(const JsonValue&)>& use) const;  // of an array
  std::string text() const;
  std::string name() const;    // a text that is not empty
  std::string digest() const;  // a SHA-256 in hexadecimal digits
  std::uint64_t count(std::uint64_t most) const;
  void require(std::string_view wanted) const;  // requires this text
  // Throws Error(input): "FILE: PATH WHAT, but is VALUE."
  [[noreturn]] void refuse(std::string_view what) const;

 private:
  [[noreturn]] void member_error(const std::string& key, std::string_view what) const;

  const nlohmann::json& value_;
  const JsonOrigin& origin_;
  const std::string path_;
};

}  // namespace alnus::io
