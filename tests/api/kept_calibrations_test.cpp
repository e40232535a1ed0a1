// The calibrations that a session keeps: which of them answer a call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "api/support/inputs.h"
#include "session/calibrations.h"

namespace alnus::test {
namespace {

using session::Calibrations;

class KeptCalibrations : public ::testing::Test {
 protected:
  using Place = CalibrationCache::Place;
  static Calibration calibration(double precision, std::uint64_t length = 0, std::uint64_t pairs = 1000) {
    Calibration one;
    one.pairs = pairs;
    one.length = length;
    one.precision = precision;
    return one;
  }
  // The precision of the calibration that is found for sequences of 300 residues; 0 if there is none.
  static double found(Calibrations& kept, const Scoring& scoring, double precision,
                      std::uint32_t length = 300) {
    const Background background = default_background(AlphabetKind::protein);
    const std::optional<Calibration> one = kept.find({scoring, background, length}, precision,
                                                     [](const std::string& text) { ADD_FAILURE() << text; });
    return one ? one->precision : 0;
  }

  const Background background_ = default_background(AlphabetKind::protein);
  static Scoring with_gap_open(const std::string& cost) {
    ScoringOptions options;
    options.gap_open = cost;
    return make_scoring(options);
  }

  const Scoring scoring_ = default_scoring(), other_ = with_gap_open("12");
};

// A calibration of the user answers if it is precise enough and of the length, of twice the length (which a
// simulation may choose itself), or exact whatever the length is.
TEST_F(KeptCalibrations, OfTheUser) {
  for (const Place place : {Place::none, Place::memory})
    for (const std::uint64_t length : {0U, 150U, 299U, 300U, 301U, 600U, 900U})
      for (const std::uint64_t pairs : {0U, 1U})
        for (const double precision : {0.005, 0.01, 0.011}) {
          SCOPED_TRACE(::testing::Message() << length << ", pairs " << pairs << ", precision " << precision);
          Calibrations kept({.place = place});
          EXPECT_EQ(found(kept, scoring_, 0.01), 0);
          kept.give(scoring_, background_, calibration(precision, length, pairs));
          const bool answers = (length == 300 || length == 600 || pairs == 0) && precision <= 0.01;
          EXPECT_EQ(found(kept, scoring_, 0.01), answers ? precision : 0);
          EXPECT_EQ(found(kept, other_, 1), 0);
          EXPECT_EQ(kept.given(scoring_, background_).value().precision, precision);
        }
}

TEST_F(KeptCalibrations, OfTheSession) {
  const auto store = [&](Calibrations& kept, double precision) {
    kept.store({scoring_, background_, 300}, calibration(precision),
               [](const std::string& text) { ADD_FAILURE() << text; });
  };
  for (const Place place : {Place::none, Place::memory}) {
    Calibrations kept({.place = place});
    store(kept, 0.01);
    EXPECT_EQ(found(kept, scoring_, 0.01), place == Place::none ? 0 : 0.01);
    EXPECT_EQ(found(kept, scoring_, 0.02), place == Place::none ? 0 : 0.01);
    EXPECT_EQ(found(kept, scoring_, 0.009), 0);
    EXPECT_EQ(found(kept, scoring_, 0.01, 301), 0);
    EXPECT_EQ(found(kept, other_, 0.01), 0);
    // What the user gives has the first word only if it is precise enough.
    kept.give(scoring_, background_, calibration(0.015, 300));
    EXPECT_EQ(found(kept, scoring_, 0.01), place == Place::none ? 0 : 0.01);
    EXPECT_EQ(found(kept, scoring_, 0.015), 0.015);
  }
}

}  // namespace
}  // namespace alnus::test
