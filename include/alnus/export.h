// What a shared library of alnus exports. Everything is compiled with hidden visibility (src/CMakeLists.txt);
// ALNUS_API makes a class or a function visible. The type information of the class is then visible, too, so
// that programs can catch exceptions of it.
#pragma once

#define ALNUS_API __attribute__((visibility("default")))
#define ALNUS_LOCAL __attribute__((visibility("hidden")))  // for a class nested in a visible one
