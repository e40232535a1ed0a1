// How a GPU spent its time.
#pragma once

namespace alnus::cuda {

// Seconds that each kind of work took.
struct Stages {
  double upload = 0, kernel = 0, selection = 0, alignment = 0;

  Stages& operator+=(const Stages& more) {
    upload += more.upload;
    kernel += more.kernel;
    selection += more.selection;
    alignment += more.alignment;
    return *this;
  }
};

}  // namespace alnus::cuda
