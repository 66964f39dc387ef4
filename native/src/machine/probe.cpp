#include "machine/probe.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace ictus::machine {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

} // namespace

std::optional<SharedSlots> SharedSlots::create(std::size_t count) {
    std::optional<SharedPages> pages = SharedPages::create(count * sizeof(ProbeSlot));
    if (!pages) {
        return std::nullopt;
    }
    SharedSlots slots(std::move(*pages));
    for (std::size_t i = 0; i < count; ++i) {
        new (&slots[i]) ProbeSlot;
    }
    return slots;
}

std::optional<SharedSlots> SharedSlots::open(const Place& place, std::size_t count) {
    std::optional<SharedPages> pages = SharedPages::open(place, count * sizeof(ProbeSlot));
    return pages ? std::optional(SharedSlots(std::move(*pages))) : std::nullopt;
}

namespace {

constexpr double longest_wait_s = 5e-3;
constexpr int n_batches = 20;

/// Two processes that write in turn. Turns count up; `given_up` lets the other leave as well.
class Exchange {
public:
    Exchange(ProbeSlot& own, ProbeSlot& other, Turn turn) : own_(own), other_(other), turn_(turn) {}

    /// `work` is done between the other's turn and the own one. False: the other does not answer.
    template <class Work>
    bool round_trip(Work work) {
        ++count_;
        if (turn_ == Turn::first) {
            work();
            own_.turn.store(count_, std::memory_order_release);
            return wait();
        }
        if (!wait()) {
            return false;
        }
        work();
        own_.turn.store(count_, std::memory_order_release);
        return true;
    }

private:
    static constexpr std::uint32_t given_up = 0xffffffff;

    bool wait() {
        std::uint32_t seen = 0;
        SteadyClock::time_point begin{};
        for (std::uint32_t spins = 0; (seen = other_.turn.load(std::memory_order_acquire)) < count_; ++spins) {
            if (spins % 4096 != 0) {
                continue;
            }
            if (spins == 0) {
                begin = SteadyClock::now();
            } else if (seconds_since(begin) > longest_wait_s) {
                own_.turn.store(given_up, std::memory_order_release);
                return false;
            }
        }
        return seen != given_up;
    }

    ProbeSlot& own_;
    ProbeSlot& other_;
    Turn turn_;
    std::uint32_t count_ = 0;
};

template <class Work>
double median_round_trip(Exchange& exchange, int batch, Work work) {
    std::vector<double> times;
    for (int i = 0; i <= n_batches; ++i) {
        const auto begin = SteadyClock::now();
        for (int trip = 0; trip < batch; ++trip) {
            if (!exchange.round_trip(work)) {
                return undefined;
            }
        }
        times.push_back(seconds_since(begin) / batch);
    }
    times.erase(times.begin()); // the first waited for the other process to come
    return summarise(std::move(times)).median;
}

} // namespace

RoundTrips measure_round_trips(ProbeSlot& own, ProbeSlot& other, Turn turn) {
    Exchange exchange(own, other, turn);
    const double line_s = median_round_trip(exchange, 50, [] {});
    if (std::isnan(line_s)) {
        return {line_s, line_s};
    }
    return {line_s, median_round_trip(exchange, 10, [&] { own.block = other.block; })};
}

double multiplications_hz() {
    constexpr int steps = 2000;
    std::vector<double> times;
    std::uint64_t value = 0x9e3779b97f4a7c15;
    std::uint64_t factor = value;
    for (int i = 0; i < n_batches; ++i) {
        const auto begin = SteadyClock::now();
        for (int step = 0; step < steps; ++step) {
            value *= factor;
            asm volatile("" : "+r"(value)); // the compiler must not multiply ahead
        }
        times.push_back(seconds_since(begin));
    }
    return steps / summarise(std::move(times)).median;
}

double copy_bandwidth(std::span<const std::byte> from, std::span<std::byte> to) {
    double fastest = 0.0;
    for (int i = 0; i < 2; ++i) {
        const auto begin = SteadyClock::now();
        std::memcpy(to.data(), from.data(), from.size());
        asm volatile("" : : "r"(to.data()) : "memory");
        fastest = std::max(fastest, static_cast<double>(from.size()) / seconds_since(begin));
    }
    return fastest;
}

} // namespace ictus::machine
