// The state of the machine as programs feel it: how far two cores are apart, how fast a core computes, how fast memory
// is. Measured by loads, stores and arithmetic alone, so that no MPI library can change the result.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <sys/types.h>

namespace ictus::machine {

/// What one process shows its neighbours. Each value has cache lines of its own; two, for processors that fetch pairs.
struct ProbeSlot {
    alignas(128) std::atomic<std::uint32_t> turn{0};
    alignas(128) std::array<std::byte, 4096> block{};
};

/// Pages that the processes of a host share. They have no name in any folder, so that a killed process leaves nothing.
class SharedSlots {
public:
    /// Where other processes of this host find the pages: among the open files of the one that made them.
    struct Place {
        pid_t process;
        int file;
        ino_t number; ///< of the file: a process of this number in another container has other files
    };

    /// Makes `count` slots; absent where the system has no room for them.
    [[nodiscard]] static std::optional<SharedSlots> create(std::size_t count);
    /// Those of another process of this host; absent where it is not seen, or has closed them.
    [[nodiscard]] static std::optional<SharedSlots> open(const Place& place, std::size_t count);

    ~SharedSlots();
    SharedSlots(SharedSlots&& other) noexcept;
    SharedSlots& operator=(SharedSlots&& other) noexcept;

    [[nodiscard]] const Place& place() const { return place_; }
    [[nodiscard]] ProbeSlot& operator[](std::size_t index) const { return slots_[index]; }
    /// From now on nobody opens them. The pages stay until the last process that has them ends.
    void close();

private:
    SharedSlots(Place place, ProbeSlot* slots, std::size_t count) : place_(place), slots_(slots), count_(count) {}

    Place place_; ///< whose file is -1 but in the process that made them, until `close`
    ProbeSlot* slots_ = nullptr;
    std::size_t count_ = 0;
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
