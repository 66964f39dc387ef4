#include "study/computation.hpp"

namespace ictus {

std::string_view to_string(ComputationKind kind) {
    switch (kind) {
    case ComputationKind::none: return "none";
    case ComputationKind::time: return "time";
    case ComputationKind::work: return "work";
    }
    return "unknown";
}

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
