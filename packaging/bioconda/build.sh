#!/usr/bin/env bash
# Bioconda's machines have no CUDA: the package is for the CPU.
set -euo pipefail
cmake --preset release -B build/conda -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" \
  -DALNUS_TESTS=OFF -DALNUS_CUDA=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=OFF
cmake --build build/conda --parallel "${CPU_COUNT:-2}"
cmake --install build/conda
