#include "machine/probe.hpp"

#include "base/summary.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ictus::machine {
namespace {

using SteadyClock = std::chrono::steady_clock;

double seconds_since(SteadyClock::time_point begin) {
    return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

ProbeSlot* mapped(int file, std::size_t count) {
    void* const pages = mmap(nullptr, count * sizeof(ProbeSlot), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return pages == MAP_FAILED ? nullptr : static_cast<ProbeSlot*>(pages);
}

} // namespace

std::optional<SharedSlots> SharedSlots::create(std::size_t count) {
    const std::string name = "/ictus-probe-" + std::to_string(getpid()) + "-" +
                             std::to_string(SteadyClock::now().time_since_epoch().count());
    const int file = shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR, 0600);
    if (file < 0) {
        return std::nullopt;
    }
    // Unlike ftruncate, this takes the room now: without it a full /dev/shm would kill the process at the first store.
    ProbeSlot* slots = nullptr;
    if (posix_fallocate(file, 0, static_cast<off_t>(count * sizeof(ProbeSlot))) == 0) {
        slots = mapped(file, count);
    } else {
        close(file);
    }
    if (slots == nullptr) {
        shm_unlink(name.c_str());
        return std::nullopt;
    }
    for (std::size_t i = 0; i < count; ++i) {
        new (&slots[i]) ProbeSlot;
    }
    return SharedSlots(name, slots, count, true);
}

std::optional<SharedSlots> SharedSlots::open(const std::string& name, std::size_t count) {
    const int file = shm_open(name.c_str(), O_RDWR, 0);
    ProbeSlot* const slots = file < 0 ? nullptr : mapped(file, count);
    return slots == nullptr ? std::nullopt : std::optional(SharedSlots(name, slots, count, false));
}

SharedSlots::~SharedSlots() {
    hide();
    if (slots_ != nullptr) {
        munmap(slots_, count_ * sizeof(ProbeSlot));
    }
}

SharedSlots::SharedSlots(SharedSlots&& other) noexcept
    : name_(std::move(other.name_)), slots_(std::exchange(other.slots_, nullptr)), count_(other.count_),
      owns_name_(std::exchange(other.owns_name_, false)) {}

SharedSlots& SharedSlots::operator=(SharedSlots&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(slots_, other.slots_);
    std::swap(count_, other.count_);
    std::swap(owns_name_, other.owns_name_);
    return *this;
}

void SharedSlots::hide() {
    if (std::exchange(owns_name_, false)) {
        shm_unlink(name_.c_str());
    }
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
