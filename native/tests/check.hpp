// A test framework of one screen, so that the core's tests need nothing but a compiler. A test file states claims:
//     TEST(a_claim_in_words) { CHECK_EQ(4, 2 + 2); }
// What runs them is in check_main.cpp. A claim about rates or percentiles, which takes seconds under a sanitizer, is a
// TEST_IN_MANY_WORLDS.
#pragma once

#include <cmath>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace check {

struct Test {
    const char* file;
    const char* name;
    void (*body)();
    bool in_many_worlds;
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

struct Registration {
    Registration(const char* file, const char* name, void (*body)(), bool in_many_worlds) {
        tests().push_back({file, name, body, in_many_worlds});
    }
};

/// Whether a claim is tried in as few worlds as it may be: what is looked for are errors of memory (`claims --few`).
inline bool& in_few_worlds() {
    static bool few = false;
    return few;
}

/// `base_time` of a path to unit/base_time.cpp; with its folder, `unit/base_time`.
inline std::string name_of(std::string_view file, bool with_folder) {
    file.remove_suffix(file.size() - file.rfind('.'));
    const std::size_t slash = file.rfind('/');
    return std::string(file.substr((with_folder ? file.rfind('/', slash - 1) : slash) + 1));
}

/// Thrown by a failed check; ends its test only.
struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
    throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

template <class T>
std::string text(const T& value) {
    std::ostringstream out;
    out.precision(17);
    out << value;
    return out.str();
}

template <class A, class B>
void equal(const A& expected, const B& actual, const char* expression, const char* file, int line) {
    if (!(expected == actual)) {
        fail(file, line, std::string(expression) + ": expected " + text(expected) + ", found " + text(actual));
    }
}

inline void near(double expected, double actual, double tolerance, const char* expression, const char* file, int line) {
    if (!(std::abs(expected - actual) <= tolerance)) {
        fail(file, line,
             std::string(expression) + ": expected " + text(expected) + " within " + text(tolerance) + ", found " +
                 text(actual));
    }
}

template <class Call>
void throws(Call&& call, const std::string& part, const char* expression, const char* file, int line) {
    try {
        call();
    } catch (const std::exception& error) {
        if (std::string(error.what()).find(part) == std::string::npos) {
            fail(file, line, std::string(expression) + ": message lacks '" + part + "': " + error.what());
        }
        return;
    }
    fail(file, line, std::string(expression) + ": did not throw");
}

} // namespace check

#define ICTUS_TEST(name, in_many_worlds)                                                                               \
    static void test_##name();                                                                                         \
    static const check::Registration registration_##name(__FILE__, #name, test_##name, in_many_worlds);                \
    static void test_##name()
#define TEST(name) ICTUS_TEST(name, false)
#define TEST_IN_MANY_WORLDS(name) ICTUS_TEST(name, true)
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            check::fail(__FILE__, __LINE__, #condition " does not hold");                                              \
    } while (false)
#define CHECK_EQ(expected, actual) check::equal((expected), (actual), #actual, __FILE__, __LINE__)
#define CHECK_NEAR(expected, actual, tolerance)                                                                        \
    check::near((expected), (actual), (tolerance), #actual, __FILE__, __LINE__)
#define CHECK_THROWS(expression, part)                                                                                 \
    check::throws([&] { (void)(expression); }, (part), #expression, __FILE__, __LINE__)
