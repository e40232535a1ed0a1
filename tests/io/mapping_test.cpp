#include "io/mapping.h"

#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

#include "alnus/database.h"
#include "support/temp_dir.h"

namespace alnus::io {
namespace {

class MappingTest : public testing::Test {
 protected:
  MappingTest() {
    std::ofstream(files_.file("two pages")) << std::string(2 * page_, 'x');
    fd_ = ::open(files_.file("two pages").c_str(), O_RDONLY);
  }
  ~MappingTest() override { ::close(fd_); }

  const test::TempDir files_;
  const std::size_t page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  int fd_ = -1;
};

TEST_F(MappingTest, AddressesBesideItAreNotItsOwn) {
  const Mapping mapping(fd_, 2 * page_);
  EXPECT_FALSE(zero_lost_pages(mapping.data() - 1));
  EXPECT_FALSE(zero_lost_pages(mapping.data() + 2 * page_));
  EXPECT_FALSE(mapping.has_lost_pages());
}

TEST_F(MappingTest, PagesFromTheAddressOnBecomeZeros) {
  const Mapping mapping(fd_, 2 * page_);
  EXPECT_TRUE(zero_lost_pages(mapping.data() + page_ + 1));
  EXPECT_TRUE(mapping.has_lost_pages());
  EXPECT_EQ(mapping.data()[page_ - 1], 'x');
  EXPECT_EQ(mapping.data()[page_], 0);
  EXPECT_EQ(mapping.data()[2 * page_ - 1], 0);
}

TEST_F(MappingTest, OneThatIsGoneHasNoAddresses) {
  const unsigned char* data = nullptr;
  {
    const Mapping mapping(fd_, page_);
    data = mapping.data();
  }
  EXPECT_FALSE(zero_lost_pages(data));
}

}  // namespace
}  // namespace alnus::io
