// What is between two readings of the counter when a function does nothing: how long jumps, a direct call and a bound
// call take there (docs/decisions/0033). Prints the mean of the lower nine tenths in ticks of the counter.
//     g++ -O2 -std=c++20 -Inative/src native/tests/programs/window_cost.cpp -o window-cost && ./window-cost
#include "base/bound_call.hpp"
#include "base/hold.hpp"
#include "clock/tsc.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

using ictus::BoundCall;
using ictus::TscClock;

namespace {

[[gnu::noinline]] int do_nothing() {
    asm volatile("");
    return 0;
}

template <class Inside>
[[gnu::noinline]] std::int64_t window(Inside inside) {
    auto start = TscClock::look();
    ictus::hold(start);
    inside();
    const auto end = TscClock::look();
    ictus::hold(start);
    return TscClock::raw(end) - TscClock::raw(start);
}

template <class Inside>
double ticks(Inside inside) {
    constexpr std::size_t n = 2'000'000, kept = n / 10 * 9;
    std::vector<std::int64_t> all(n);
    std::generate(all.begin(), all.end(), [&] { return window(inside); });
    std::sort(all.begin(), all.end());
    double sum = 0.0;
    std::for_each_n(all.begin(), kept, [&](std::int64_t one) { sum += static_cast<double>(one); });
    return sum / static_cast<double>(kept);
}

} // namespace

int main() {
    const BoundCall bound(do_nothing);
    std::printf("%-12s %8s %10s %12s %11s\n", "", "nothing", "two jumps", "direct call", "bound call");
    for (int round = 0; round < 5; ++round) {
        const double nothing = ticks([] {}), jumps = ticks([] { asm volatile("jmp 1f\n1:\tjmp 2f\n2:"); });
        std::printf("%-12s %8.1f %10.1f %12.1f %11.1f\n", "ticks", nothing, jumps, ticks([] { (void)do_nothing(); }),
                    ticks([&bound] { (void)bound(); }));
    }
}
