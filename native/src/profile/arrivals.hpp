// When this process entered and left some of its collective calls: the same calls on all processes of a communicator,
// chosen without a message, in bounded memory. Arithmetic on memory that others own, no MPI.
#pragma once

#include "base/random.hpp"
#include "base/time.hpp"

#include <atomic>
#include <cstdint>

namespace ictus::profile {

/// One entered and left call.
struct Arrival {
    std::uint64_t number; ///< of the call in its stream: 0, 1, ...
    Ticks entered;
    Ticks left;
    double entered_global_s; ///< on rank 0's time line; set at the end of the program
    float bound_s;           ///< proven, of that; NaN where nothing is
    std::uint32_t row;       ///< of the counters
};
static_assert(sizeof(Arrival) == 40);

/// The calls that all processes of a communicator number alike: of one operation, and of one class of sizes where all
/// contribute the same. So a rare large call is not lost among many small ones.
struct alignas(64) Stream {
    std::atomic<std::uint32_t> state; ///< 0: free, 1: being made, 2: in use
    std::uint32_t communicator;
    std::uint32_t call;
    std::atomic<std::uint32_t> kept;
    std::uint64_t size_class;
    std::uint64_t seed; ///< the same on all processes of the communicator
    std::atomic<std::uint64_t> calls;
    std::atomic<std::uint64_t> mask;
    std::atomic<bool> is_taken; ///< by a thread that keeps an arrival

    /// Whether call `number` is among those that are kept. At first all are; whenever the memory is full, the mask
    /// gets one more bit, and half of them stay. Chosen by a hash: each second call, fourth, ... of a program that
    /// repeats its steps would be the same call again and again.
    [[nodiscard]] static bool keeps(std::uint64_t seed, std::uint64_t mask, std::uint64_t number) {
        return (SplitMix64::mix(seed + number) & mask) == 0;
    }
};
static_assert(sizeof(Stream) == 64);

class Arrivals {
public:
    static constexpr std::uint32_t max_streams = 128;
    static constexpr std::uint32_t room = 512; ///< arrivals of a stream

    /// `streams`: max_streams, `arrivals`: room of each; all bytes zero.
    Arrivals(Stream* streams, Arrival* arrivals) : streams_(streams), arrivals_(arrivals) {}

    /// The number of a stream; `none` where the table is full. Any number of threads.
    static constexpr std::uint32_t none = max_streams;
    [[nodiscard]] std::uint32_t find(std::uint32_t communicator, std::uint32_t call, std::uint64_t size_class,
                                     std::uint64_t group_hash) noexcept;

    /// The stream of the waits that end the started calls of another, with the same seed: both keep the same numbers.
    /// `none` where the table is full.
    static constexpr std::uint32_t is_end = 1u << 16; ///< in `call`
    [[nodiscard]] std::uint32_t ends_of(std::uint32_t stream) noexcept;

    /// Whether the next call of the stream is to be kept, and its number. `alone`: no other thread counts.
    [[nodiscard]] bool next(std::uint32_t stream, bool alone, std::uint64_t& number) noexcept {
        Stream& one = streams_[stream];
        if (alone) {
            number = one.calls.load(std::memory_order_relaxed);
            one.calls.store(number + 1, std::memory_order_relaxed);
        } else {
            number = one.calls.fetch_add(1, std::memory_order_relaxed);
        }
        return Stream::keeps(one.seed, one.mask.load(std::memory_order_relaxed), number);
    }
    void keep(std::uint32_t stream, const Arrival& arrival) noexcept;

    /// Calls `f` with each arrival that is kept.
    template <class F>
    void each(F f) {
        for (std::uint32_t i = 0; i < max_streams; ++i) {
            for (std::uint32_t k = 0; k < streams_[i].kept.load(); ++k) {
                f(arrivals_[i * room + k]);
            }
        }
    }

private:
    [[nodiscard]] std::uint32_t find(std::uint32_t communicator, std::uint32_t call, std::uint64_t size_class,
                                     std::uint64_t seed, std::uint64_t from) noexcept;
    void thin(Stream& stream, Arrival* arrivals) noexcept;

    Stream* streams_;
    Arrival* arrivals_;
};

} // namespace ictus::profile
