#include "check.hpp"

#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
    const char* const wanted = argc > 1 ? argv[1] : nullptr;
    if (wanted != nullptr && std::strcmp(wanted, "--list") == 0) {
        for (const check::Test& test : check::tests()) {
            std::puts(test.name);
        }
        return 0;
    }
    int run = 0;
    int failed = 0;
    for (const check::Test& test : check::tests()) {
        if (wanted != nullptr && std::strcmp(wanted, test.name) != 0) {
            continue;
        }
        ++run;
        try {
            test.body();
            std::printf("PASSED %s\n", test.name);
            std::fflush(stdout); // what a crash of the next one must not take along
        } catch (const std::exception& error) {
            ++failed;
            std::printf("FAILED %s\n  %s\n", test.name, error.what());
        }
    }
    std::printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 && run > 0 ? 0 : 1;
}
