// NumPy arrays that show memory of the library, and arrays that Python hands in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <new>
#include <span>
#include <string>
#include <sys/mman.h>
#include <utility>
#include <vector>

#include "alnus/error.h"
#include "alnus/sequence_set.h"
#include "alnus/text.h"

namespace alnus::python {

namespace nb = nanobind;

// An array of one dimension that Python hands in, which is only read.
template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A NumPy array of one dimension that Python gets.
template <class T>
using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

// A read-only array that shows `values` without a copy and keeps `owner` alive. The memory of `values` must
// live as long as `owner` does.
template <class T>
Column<const T> view(std::span<const T> values, nb::handle owner) {
  return Column<const T>(values.data(), {values.size()}, owner);
}

// An array that owns the values.
template <class T>
Column<T> owned(std::vector<T> values) {
  auto* const memory = new std::vector<T>(std::move(values));
  const nb::capsule owner(memory, [](void* vector) noexcept { delete static_cast<std::vector<T>*>(vector); });
  return Column<T>(memory->data(), {memory->size()}, owner);
}

// Uninitialised memory for `count` values, which finish() makes an array of. The constructor throws
// Error(memory) with the size in bytes if there is not enough memory; the message begins with `what`.
template <class T>
class NewArray {
 public:
  NewArray(std::size_t count, const char* what) : count_(count) {
    if (count <= PTRDIFF_MAX / sizeof(T)) values_.reset(new (std::nothrow) T[count]);
    if (values_ == nullptr)
      throw Error(ErrorKind::memory, std::string(what) + " would take " +
                                         format_bytes(static_cast<double>(count) * sizeof(T)) +
                                         ", which this machine does not have.");
    ask_for_huge_pages();
  }
  T* data() { return values_.get(); }
  // The array, in a shape whose product is the count. It owns the memory, which this object has no more.
  nb::ndarray<nb::numpy, T> finish(std::initializer_list<std::size_t> shape) {
    T* const memory = values_.release();
    const nb::capsule owner(memory, [](void* array) noexcept { delete[] static_cast<T*>(array); });
    return nb::ndarray<nb::numpy, T>(memory, shape, owner);
  }

 private:
  // Asks the system for huge pages, with which a large array is filled faster. Some systems give them only to
  // programs that ask.
  void ask_for_huge_pages() const {
    constexpr std::size_t kHugePage = 1 << 21;
    void* first = values_.get();
    std::size_t bytes = count_ * sizeof(T);
    if (std::align(kHugePage, kHugePage, first, bytes) != nullptr) ::madvise(first, bytes, MADV_HUGEPAGE);
  }

  std::size_t count_;
  std::unique_ptr<T[]> values_;
};

// A NumPy array of doubles, of any number of dimensions, that Python gets.
using Numbers = nb::ndarray<nb::numpy, double>;

// A dict of names to values of any type.
using Fields = nb::typed<nb::dict, nb::str, nb::any>;

// Pairs of indices that Python hands in: an array of shape (n, 2) with a row (index of the query, index of
// the subject) for each pair.
using PairArray = nb::ndarray<const std::uint32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
std::vector<IndexPair> pairs_of(const PairArray& array);

template <class T>
std::span<const T> span_of(const Array<T>& array) {
  return {array.data(), array.size()};
}

}  // namespace alnus::python
