// What a shared library of alnus exports. Everything is compiled with hidden visibility (src/CMakeLists.txt);
// ALNUS_API makes a class or a function visible, with its type information, so that programs can catch it.
#pragma once

#define ALNUS_API __attribute__((visibility("default")))
#define ALNUS_LOCAL __attribute__((visibility("hidden")))  // for a nested class of one that is visible
