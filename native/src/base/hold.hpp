// When a value is computed.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>

namespace ictus {

/// Each value is in a register of its own here: it was computed before, and what follows from it is computed later.
template <class... Values>
void hold(Values&... values) {
    const auto one = [](auto& value) { asm volatile("" : "+r"(value)); };
    (one(values), ...);
}

/// The same for the parts of a value.
template <class Part, std::size_t n>
void hold(std::array<Part, n>& value) {
    std::apply([](auto&... parts) { hold(parts...); }, value);
}

} // namespace ictus
