#include "stats/pair_balance_kernel.h"

namespace alnus::stats {

void balance_portable(BalanceJob& job) { PairBalance<2>::run(job); }

int supported_balances(Balance (&list)[kMostBalances]) {
  int count = 0;
#ifdef ALNUS_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) list[count++] = balance_avx512;
  if (__builtin_cpu_supports("avx2")) list[count++] = balance_avx2;
#endif
  list[count++] = balance_portable;
  return count;
}

}  // namespace alnus::stats
