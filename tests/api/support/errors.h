// What a call throws.
#pragma once

#include <gtest/gtest.h>
#include <string>

#include "alnus/error.h"

namespace alnus::test {

// What a call has thrown: an alnus::Error, Interrupted, another exception, or nothing.
struct Thrown {
  bool error = false, interrupted = false;
  ErrorKind kind = ErrorKind::other;
  std::string text;    // what()
  std::string marked;  // Error::marked()
};

template <class Action>
Thrown thrown_by(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return {true, false, error.kind(), error.what(), error.marked()};
  } catch (const Interrupted& interrupted) {
    return {false, true, ErrorKind::other, interrupted.what(), {}};
  } catch (const std::exception& other) {
    return {false, false, ErrorKind::other, std::string("another exception: ") + other.what(), {}};
  }
  return {false, false, ErrorKind::other, "nothing was thrown", {}};
}

// Expects that `action` throws an Error of this kind, and returns the error's text ("" if it throws none).
template <class Action>
std::string error_of(ErrorKind kind, Action&& action) {
  const Thrown thrown = thrown_by(action);
  EXPECT_TRUE(thrown.error) << thrown.text;
  if (!thrown.error) return {};
  EXPECT_EQ(static_cast<int>(thrown.kind), static_cast<int>(kind)) << thrown.text;
  return thrown.text;
}
template <class Action>
std::string input_error(Action&& action) {
  return error_of(ErrorKind::input, action);
}
template <class Action>
std::string database_error(Action&& action) {
  return error_of(ErrorKind::database, action);
}
template <class Action>
std::string other_error(Action&& action) {
  return error_of(ErrorKind::other, action);
}

// Expects that `action` throws an Error(input) whose text has this clause or, if the clause is empty,
// nothing.
template <class Action>
void expect_refusal(const std::string& clause, Action&& action) {
  const Thrown thrown = thrown_by(action);
  if (clause.empty()) {
    EXPECT_EQ(thrown.text, "nothing was thrown");
    return;
  }
  EXPECT_TRUE(thrown.error && thrown.kind == ErrorKind::input) << thrown.text;
  EXPECT_NE(thrown.text.find(clause), std::string::npos) << thrown.text << "\n  instead of\n" << clause;
}

}  // namespace alnus::test
