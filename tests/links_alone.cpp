// The program of a layer without those above it: that it links is what it shows (tests/CMakeLists.txt).
int main() { return 0; }
