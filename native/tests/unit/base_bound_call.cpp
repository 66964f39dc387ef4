// A bound call gives its function exactly what it was bound to.
#include "base/bound_call.hpp"
#include "check.hpp"

#include <cstdint>
#include <limits>

using namespace ictus;

namespace {

enum class Handle : int { null = -5 };

struct Counter {
    int runs = 0;
    int run() { return ++runs; }
};

int many(const char* text, int a, Handle handle, std::int64_t b, unsigned char c, double d, int* place, bool e, short f,
         long g, const int& referred, Counter& counter, void* nothing) {
    CHECK_EQ('i', text[0]);
    CHECK_EQ(-7, a);
    CHECK(handle == Handle::null);
    CHECK_EQ(std::numeric_limits<std::int64_t>::min(), b);
    CHECK_EQ(255, static_cast<int>(c));
    CHECK_EQ(0.1, d);
    CHECK(e);
    CHECK_EQ(-3, static_cast<int>(f));
    CHECK_EQ(1L << 40, g);
    CHECK(nothing == nullptr);
    ++counter.runs;
    *place += referred;
    return 12;
}

} // namespace

TEST(arguments_of_all_kinds_arrive_in_their_order) {
    int place = 30;
    const int referred = 4;
    Counter counter;
    const BoundCall call(many, "ictus", -7, Handle::null, std::numeric_limits<std::int64_t>::min(),
                         static_cast<unsigned char>(255), 0.1, &place, true, static_cast<short>(-3), 1L << 40, referred,
                         counter, nullptr);
    const BoundCall copied = call;
    CHECK_EQ(12, call());
    CHECK_EQ(12, copied());
    CHECK_EQ(38, place);
    CHECK_EQ(2, counter.runs);
}

TEST(an_argument_is_converted_when_it_is_bound) {
    static std::int64_t taken = 0;
    int count = -1;
    const BoundCall call(
        +[](std::int64_t one) {
            taken = one;
            return 0;
        },
        count);
    count = 5;
    CHECK_EQ(0, call());
    CHECK_EQ(-1, taken);
}

TEST(a_rehearsal_calls_nothing_and_changes_nothing) {
    Counter counter;
    BoundCall calls[] = {BoundCall::run(counter), BoundCall(), BoundCall::run(counter)};
    int rehearsed = 0;
    BoundCall::rehearse(calls, [&] {
        for (const BoundCall& call : calls) {
            CHECK_EQ(0, call());
            ++rehearsed;
        }
    });
    CHECK_EQ(3, rehearsed);
    CHECK_EQ(0, counter.runs);
    CHECK_EQ(1, calls[0]());
    CHECK_EQ(0, calls[1]());
    CHECK_EQ(2, calls[2]());
}
