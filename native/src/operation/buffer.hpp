// A buffer for MPI that tells when somebody wrote outside of it. Knows no MPI.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>

namespace ictus {

/// A guard byte that was overwritten.
struct Breach {
    bool before;          ///< in front of the buffer, else behind it
    std::size_t distance; ///< 0: next to the buffer
    std::byte expected;
    std::byte found;
};

/// Page-aligned memory with guard bytes right before and right behind it; every page is touched when it is made.
class GuardedBuffer {
public:
    static constexpr std::size_t guard_bytes = 64;

    /// Throws a measurement Error if there is not that much memory.
    explicit GuardedBuffer(std::size_t size_bytes);

    [[nodiscard]] std::span<std::byte> bytes() { return {data_, size_bytes_}; }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
    [[nodiscard]] std::byte* data() const { return data_; }

    void raise_guards();
    [[nodiscard]] std::optional<Breach> breach() const;

private:
    struct Free {
        void operator()(std::byte* memory) const { std::free(memory); }
    };

    std::size_t size_bytes_;
    std::unique_ptr<std::byte, Free> memory_;
    std::byte* data_ = nullptr;
};

} // namespace ictus
