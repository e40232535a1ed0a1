// The exponential function, with the same bits on every machine.
#pragma once

namespace alnus::stats {

double portable_exp(double x);  // -700 <= x <= 700

}  // namespace alnus::stats
