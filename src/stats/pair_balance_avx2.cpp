#include "stats/pair_balance_kernel.h"

namespace alnus::stats {

void balance_avx2(BalanceJob& job) { PairBalance<4>::run(job); }

}  // namespace alnus::stats
