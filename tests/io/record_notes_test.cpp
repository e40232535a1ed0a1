// Notes of odd records: which record of several a warning names.
#include "io/record_notes.h"

#include <gtest/gtest.h>

namespace alnus::io {
namespace {

TEST(RecordNotes, TheFirstRecordOfTheFileIsNamedInAnyOrder) {
  NotedRecords records;
  records.add(7, "seventh");
  records.add(2, "second");
  records.add(5, "fifth");
  EXPECT_EQ(records.count, 3U);
  EXPECT_EQ(records.number, 2U);
  EXPECT_EQ(records.id, "second");
}

}  // namespace
}  // namespace alnus::io
