#include "study/computation.hpp"

namespace ictus {

void work(std::uint64_t units) {
    std::uint64_t x = units | 1U;
    for (std::uint64_t i = 0; i < units; ++i) {
        x ^= x << 13; // Marsaglia's xorshift: each step needs the one before
        x ^= x >> 7;
        x ^= x << 17;
    }
    [[maybe_unused]] const volatile std::uint64_t result = x;
}

} // namespace ictus
