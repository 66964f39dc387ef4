// The state of the machine as programs feel it: how far two cores are apart, how fast a core computes, how fast memory
// is. Measured by loads, stores and arithmetic alone, so that no MPI library can change the result.
#pragma once

#include "machine/shared_pages.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace ictus::machine {

/// What one process shows its neighbours. Each value has cache lines of its own; two, for processors that fetch pairs.
struct ProbeSlot {
    alignas(128) std::atomic<std::uint32_t> turn{0};
    alignas(128) std::array<std::byte, 4096> block{};
};

/// The slots of the processes of a host, in pages that they share.
class SharedSlots {
public:
    using Place = SharedPages::Place;

    /// Makes `count` slots; absent where the system has no room for them.
    [[nodiscard]] static std::optional<SharedSlots> create(std::size_t count);
    /// Those of another process of this host; absent where it is not seen, or has closed them.
    [[nodiscard]] static std::optional<SharedSlots> open(const Place& place, std::size_t count);

    [[nodiscard]] const Place& place() const { return pages_.place(); }
    [[nodiscard]] ProbeSlot& operator[](std::size_t index) const {
        return reinterpret_cast<ProbeSlot*>(pages_.data())[index];
    }
    /// From now on nobody opens them.
    void close() { pages_.close(); }

private:
    explicit SharedSlots(SharedPages pages) : pages_(std::move(pages)) {}

    SharedPages pages_;
};

/// Which of two processes writes first.
enum class Turn { first, second };

/// Seconds from one core to the other and back, medians over batches; NaN where the other does not answer within
/// milliseconds: it has no core of its own.
struct RoundTrips {
    double line_s;  ///< of one cache line
    double block_s; ///< of 4 KiB, copied from the other's pages to the own ones, as messages are
};

/// Both processes call it at about the same time, with slots whose `turn` is 0.
[[nodiscard]] RoundTrips measure_round_trips(ProbeSlot& own, ProbeSlot& other, Turn turn);

/// Dependent integer multiplications per second: each takes the same few cycles, so this is the speed of the core.
[[nodiscard]] double multiplications_hz();

/// Bytes per second of copying `from` to `to`, which have one length: the faster of two copies.
[[nodiscard]] double copy_bandwidth(std::span<const std::byte> from, std::span<std::byte> to);

} // namespace ictus::machine
