#include "transport/control.hpp"

#include "base/summary.hpp"

namespace ictus::control {

void broadcast(Transport& transport, std::span<std::byte> bytes) {
    const int rank = transport.rank();
    int stride = 1;
    while (stride < transport.size()) {
        stride *= 2;
    }
    for (; stride >= 1; stride /= 2) {
        if (rank % (2 * stride) == stride) {
            transport.receive(rank - stride, bytes);
        }
        if (rank % (2 * stride) == 0 && rank + stride < transport.size()) {
            transport.send(rank + stride, bytes);
        }
    }
}

double largest(Transport& transport, double value) {
    reduce(transport, std::span<double>(&value, 1),
           [](double& into, double from) { into = larger_or_none(into, from); });
    return broadcast_value(transport, value);
}

void reduce_largest(Transport& transport, std::span<double> values) {
    reduce(transport, values, [](double& into, double from) { into = std::max(into, from); });
}

void combine_flags(Transport& transport, std::span<std::uint16_t> flags) {
    reduce(transport, flags,
           [](std::uint16_t& into, std::uint16_t from) { into = static_cast<std::uint16_t>(into | from); });
    broadcast(transport, std::as_writable_bytes(flags));
}

} // namespace ictus::control
