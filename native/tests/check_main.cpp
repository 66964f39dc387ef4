// claims [--few] [FILE [CLAIM]]: all claims, those of a file (`unit/base_time`), or one of them; with --few without
// those in many worlds. claims --list prints the file and the name of each.
#include "check.hpp"

#include <cstdio>
#include <span>
#include <string_view>

namespace {

std::string name_of(const check::Test& test) { return check::name_of(test.file, true); }

void list() {
    for (const check::Test& test : check::tests()) {
        std::printf("%s %s\n", name_of(test).c_str(), test.name);
    }
}

bool holds(const check::Test& test) {
    try {
        test.body();
        std::printf("PASSED %s\n", test.name);
        std::fflush(stdout); // what a crash of the next one must not take along
        return true;
    } catch (const std::exception& error) {
        std::printf("FAILED %s\n  %s\n", test.name, error.what());
        return false;
    }
}

} // namespace

int main(int argc, char** argv) {
    std::span<char*> words(argv + 1, argv + argc);
    if (!words.empty() && std::string_view(words[0]) == "--list") {
        list();
        return 0;
    }
    if (!words.empty() && std::string_view(words[0]) == "--few") {
        check::in_few_worlds() = true;
        words = words.subspan(1);
    }
    const std::string_view file = !words.empty() ? words[0] : "";
    const std::string_view claim = words.size() > 1 ? words[1] : "";
    int run = 0;
    int failed = 0;
    for (const check::Test& test : check::tests()) {
        if ((file.empty() || file == name_of(test)) && (claim.empty() || claim == test.name) &&
            !(test.in_many_worlds && check::in_few_worlds())) {
            ++run;
            failed += holds(test) ? 0 : 1;
        }
    }
    std::printf("%d passed, %d failed\n", run - failed, failed);
    return failed == 0 && run > 0 ? 0 : 1;
}
