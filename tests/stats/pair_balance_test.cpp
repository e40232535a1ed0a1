// Frequencies of aligned letters, computed with all instruction sets.
#include "stats/pair_balance.h"

#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace alnus::stats {
namespace {

// A symmetric matrix of random exponents, with 16 different values.
struct Matrix {
  std::uint8_t number[kAminoAcids][kAminoAcids];
  std::vector<double> exponents;

  explicit Matrix(std::mt19937& random) {
    for (int k = 0; k < 16; ++k) exponents.push_back(0.3 * (k - 4));
    for (int i = 0; i < kAminoAcids; ++i)
      for (int j = 0; j <= i; ++j)
        number[i][j] = number[j][i] = static_cast<std::uint8_t>(i == j ? 8 + random() % 8 : random() % 6);
  }
};

void fill(std::mt19937& random, int kinds, double* frequencies, int stride) {
  double sum = 0;
  for (int i = 0; i < kAminoAcids; ++i) {
    const double one = i < kinds ? 1 + static_cast<double>(random() % 100) : 0.01;
    frequencies[i * stride] = one;
    sum += one;
  }
  for (int i = 0; i < kAminoAcids; ++i) frequencies[i * stride] /= sum;
}

TEST(PairBalances, HaveTheMarginsAndTheEntropy) {
  std::mt19937 random(1);
  const Matrix matrix(random);
  Balance list[kMostBalances];
  for (int kind = 0; kind < supported_balances(list); ++kind)
    for (int round = 0; round < 20; ++round) {
      std::array<double, kAminoAcids> p;
      fill(random, kAminoAcids, p.data(), 1);
      BalanceJob job;
      job.number = matrix.number;
      job.exponents = matrix.exponents.data();
      job.exponent_count = static_cast<int>(matrix.exponents.size());
      job.entropy = 0.5;
      job.slope = 0.8;
      job.p = p.data();
      for (int k = 0; k < kMostPairs; ++k) fill(random, kAminoAcids, &job.r[0][k], kMostPairs);
      list[kind](job);
      for (int k = 0; k < kMostPairs; ++k) {
        double entropy = 0;
        std::array<double, kAminoAcids> rows{}, columns{};
        for (int i = 0; i < kAminoAcids; ++i)
          for (int j = 0; j < kAminoAcids; ++j) {
            const double score =
                job.theta[k] * matrix.exponents[matrix.number[i][j]] + job.log_a[i][k] + job.log_b[j][k];
            const double q = p[static_cast<std::size_t>(i)] * job.r[j][k] * std::exp(score);
            rows[static_cast<std::size_t>(i)] += q;
            columns[static_cast<std::size_t>(j)] += q;
            entropy += q * score;
          }
        for (int i = 0; i < kAminoAcids; ++i) {
          EXPECT_NEAR(rows[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(i)], 3e-6);
          EXPECT_NEAR(columns[static_cast<std::size_t>(i)], job.r[i][k], 3e-6);
        }
        EXPECT_NEAR(entropy, job.entropy, 1e-5);
        EXPECT_EQ(job.found[k], job.found[k]) << "no number";
      }
    }
}

TEST(PairBalances, AreTheSameBitsWithEveryInstructionSet) {
  std::mt19937 random(2);
  Balance list[kMostBalances];
  const int count = supported_balances(list);
  for (int round = 0; round < 200; ++round) {
    const Matrix matrix(random);
    std::array<double, kAminoAcids> p;
    fill(random, 1 + round % kAminoAcids, p.data(), 1);
    BalanceJob job;
    job.number = matrix.number;
    job.exponents = matrix.exponents.data();
    job.exponent_count = static_cast<int>(matrix.exponents.size());
    job.entropy = 0.1 + 0.01 * (round % 100);
    job.slope = 0.8;
    job.p = p.data();
    for (int k = 0; k < kMostPairs; ++k)
      fill(random, 1 + static_cast<int>(random() % kAminoAcids), &job.r[0][k], kMostPairs);
    BalanceJob expected = job;
    list[0](expected);
    for (int kind = 1; kind < count; ++kind) {
      BalanceJob found = job;
      list[kind](found);
      EXPECT_EQ(std::memcmp(found.theta, expected.theta, sizeof found.theta), 0);
      EXPECT_EQ(std::memcmp(found.found, expected.found, sizeof found.found), 0);
      EXPECT_EQ(std::memcmp(found.log_a, expected.log_a, sizeof found.log_a), 0);
      EXPECT_EQ(std::memcmp(found.log_b, expected.log_b, sizeof found.log_b), 0);
    }
  }
}

}  // namespace
}  // namespace alnus::stats
