#include "stats/pair_balance_kernel.h"

namespace alnus::stats {

void balance_avx512(BalanceJob& job) { PairBalance<8>::run(job); }

}  // namespace alnus::stats
