#include "clock/tsc_frequency.hpp"

#include "base/defaults.hpp"
#include "base/error.hpp"
#include "clock/tsc.hpp"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <limits>
#include <optional>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace ictus {
namespace {

#if defined(__x86_64__)
/// 0 where the processor, or no hypervisor, has the leaf.
CounterLeaves counter_leaves() {
    CounterLeaves found;
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid_max(0, nullptr) >= 0x15) {
        __cpuid_count(0x15, 0, a, b, c, d);
        found = {.denominator = a, .numerator = b, .crystal_hz = c, .hypervisor_khz = 0};
    }
    __cpuid(1, a, b, c, d);
    if ((c & (1u << 31)) == 0) {
        return found;
    }
    __cpuid(0x40000000, a, b, c, d);
    if (a >= 0x40000010) {
        __cpuid(0x40000010, a, b, c, d);
        found.hypervisor_khz = a;
    }
    return found;
}

Frequency processor_frequency() { return rated_frequency(counter_leaves()); }
#elif defined(__aarch64__)
Frequency processor_frequency() {
    unsigned long hz = 0;
    asm volatile("mrs %0, cntfrq_el0" : "=r"(hz));
    return {static_cast<double>(hz), "nominal (processor, cntfrq_el0)"};
}
#else
Frequency processor_frequency() { return {}; }
#endif

/// The simulator has no counter, and real time goes on while its own stands still.
void refuse_in_simulation() {
    if constexpr (is_simulated) {
        throw usage_error("a simulator has no counter whose frequency could be calibrated");
    }
}

struct Pair {
    std::int64_t counter;
    std::timespec time;
};

double seconds_between(const std::timespec& from, const std::timespec& to) {
    return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}

Pair quickest_pair() {
    constexpr int tries = 50;
    Pair best{};
    std::int64_t shortest = 0;
    for (int i = 0; i < tries; ++i) {
        std::timespec now{};
        const std::int64_t before = TscClock::raw();
        clock_gettime(CLOCK_MONOTONIC_RAW, &now);
        const std::int64_t after = TscClock::raw();
        if (i > 0 && after - before >= shortest) {
            continue;
        }
        shortest = after - before;
        best = {before + (after - before) / 2, now};
    }
    return best;
}

void sleep_for(double seconds) {
    const auto whole = static_cast<std::time_t>(seconds);
    const std::timespec pause{whole, static_cast<long>((seconds - static_cast<double>(whole)) * 1e9)};
    nanosleep(&pause, nullptr);
}

Frequency calibrated_from(const Pair& begin, double seconds) {
    std::timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    const double left = seconds - seconds_between(begin.time, now);
    if (left > 0.0) {
        sleep_for(left);
    }
    const Pair end = quickest_pair();
    return {static_cast<double>(end.counter - begin.counter) / seconds_between(begin.time, end.time),
            "calibrated against CLOCK_MONOTONIC_RAW"};
}

/// From when the program, or the library that a program uses, was loaded: MPI starts meanwhile. Takes microseconds.
const std::optional<Pair> loaded = is_simulated ? std::nullopt : std::optional(quickest_pair());

} // namespace

Frequency rated_frequency(const CounterLeaves& leaves) {
    if (leaves.denominator != 0 && leaves.numerator != 0 && leaves.crystal_hz != 0) {
        return {static_cast<double>(leaves.crystal_hz) * leaves.numerator / leaves.denominator,
                "nominal (processor, cpuid 15h)"};
    }
    return leaves.hypervisor_khz == 0 ? Frequency{}
                                      : Frequency{1e3 * leaves.hypervisor_khz, "nominal (hypervisor, cpuid 40000010h)"};
}

Frequency stated_frequency() { return processor_frequency(); }

Frequency model_name_frequency() {
    std::ifstream cpuinfo("/proc/cpuinfo");
    for (std::string line; std::getline(cpuinfo, line);) {
        const std::size_t at = line.find("@ ");
        if (line.rfind("model name", 0) != 0 || at == std::string::npos || line.find("GHz", at) == std::string::npos) {
            continue;
        }
        return {1e9 * std::strtod(line.c_str() + at + 2, nullptr), "nominal (model name)"};
    }
    return {};
}

Frequency nominal_frequency() {
    Frequency found = stated_frequency();
    return found.hz > 0.0 ? found : model_name_frequency();
}

Frequency calibrated_frequency(double seconds) {
    refuse_in_simulation();
    return calibrated_from(quickest_pair(), seconds);
}

Frequency calibrated_since_loading(double seconds) {
    refuse_in_simulation();
    return calibrated_from(loaded ? *loaded : quickest_pair(), seconds);
}

Frequency netgauge_frequency(double sleep_s) {
    refuse_in_simulation();
    constexpr int patience = 3;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (int no_shorter = 0; no_shorter < patience; ++no_shorter) {
        const std::int64_t before = TscClock::raw();
        sleep_for(sleep_s);
        const std::int64_t ticks = TscClock::raw() - before;
        if (ticks < fewest) {
            fewest = ticks;
            no_shorter = -1;
        }
    }
    return {static_cast<double>(fewest) / sleep_s, "calibrated per rank by sleeping"};
}

} // namespace ictus
