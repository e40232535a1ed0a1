// Included first in every source of a wheel that is built with GCC 12 or newer: this version of a function
// whose code is the same is in GCC 11's libstdc++ too, with which distributions of glibc 2.34 come.
__asm__(
    ".symver _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE, "
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE@GLIBCXX_3.4.11");
