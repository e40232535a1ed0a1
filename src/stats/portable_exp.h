// The exponential function, with the same bits on every machine.
#pragma once

namespace alnus::stats {

double portable_exp(double x);  // x between -700 and 700

}  // namespace alnus::stats
