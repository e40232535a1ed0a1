# One translation unit per instruction set: src/cpu/isa_<name>.cpp.
