// Exponential and logarithm with the same result, to the last bit, on every processor and with every C
// library: sums, products and quotients of doubles alone, which IEEE 754 defines.
#pragma once

namespace alnus::stats {

// e^x with a relative error below 1e-15, for x from -700 to 700.
double portable_exp(double x);
// The natural logarithm of a normal x > 0, with an absolute or relative error below 1e-15.
double portable_log(double x);

}  // namespace alnus::stats
