#include "mockup/mockup.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

namespace ictus::operation {

int Mockup::argument(std::uint64_t n) {
    if (n > INT_MAX) {
        throw usage_error("a mock-up's call with " + std::to_string(n) + " elements or bytes is beyond an int (" +
                          std::to_string(INT_MAX) + "); choose a smaller size");
    }
    return static_cast<int>(n);
}

GuardedBuffer Mockup::scratch(std::uint64_t n_units) const {
    GuardedBuffer made(n_units * bytes_per_unit());
    std::ranges::fill(made.bytes(), std::byte{0});
    return made;
}

void Mockup::copy(std::byte* to, const std::byte* from, std::uint64_t n_units) const {
    if (shape().is_dense()) {
        std::memcpy(to, from, n_units * bytes_per_unit());
        return;
    }
    for (std::uint64_t unit = 0; unit < n_units; ++unit) {
        for (const Shape::Run& run : shape().runs) {
            const std::size_t first = unit * bytes_per_unit() + run.first * element_bytes();
            std::memcpy(to + first, from + first, run.n * element_bytes());
        }
    }
}

} // namespace ictus::operation
