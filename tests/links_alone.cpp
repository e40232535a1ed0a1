// A program that must link with a layer and the layers that it may include alone (tests/CMakeLists.txt).
int main() { return 0; }
