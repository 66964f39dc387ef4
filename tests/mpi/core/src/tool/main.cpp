#include <cstdio>
#include <cstring>

const char* answer(const char* question);

int main(int argc, char** argv) { return argc < 2 || std::puts(answer(argv[1])) < 0; }
