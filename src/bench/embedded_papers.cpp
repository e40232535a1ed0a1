#include "bench/embedded_papers.h"

namespace alnus::bench {
namespace {

constexpr EmbeddedFile kFiles[] = {
#include "bench_data.inc"
};

}  // namespace

std::span<const EmbeddedFile> paper_files() { return kFiles; }

}  // namespace alnus::bench
