// Control traffic: our own broadcast and reduction over point-to-point messages, so that the library under test has no
// influence on how our processes are synchronised. Binomial trees, ceil(log2 p) rounds; root 0.
#pragma once

#include "transport/transport.hpp"

#include <algorithm>
#include <vector>

namespace ictus::control {

/// Copies rank 0's bytes to all ranks.
void broadcast(Transport& transport, std::span<std::byte> bytes);

template <class T>
[[nodiscard]] T broadcast_value(Transport& transport, T value) {
    broadcast(transport, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

/// Combines all ranks' values in rank 0's; the other ranks' values are left partly combined.
/// `combine(into, from)` must be associative and commutative.
template <class T, class Combine>
void reduce(Transport& transport, std::span<T> values, Combine combine) {
    std::vector<T> received(values.size());
    for (int stride = 1; stride < transport.size(); stride *= 2) {
        if (transport.rank() % (2 * stride) == stride) {
            transport.send(transport.rank() - stride, std::as_bytes(values));
            return;
        }
        if (transport.rank() + stride >= transport.size()) {
            continue;
        }
        transport.receive(transport.rank() + stride, std::as_writable_bytes(std::span<T>(received)));
        for (std::size_t i = 0; i < values.size(); ++i) {
            combine(values[i], received[i]);
        }
    }
}

/// Rank 0's values, one a rank, to their ranks; the values of other ranks are ignored.
template <class T>
[[nodiscard]] T scatter(Transport& transport, std::vector<T> values) {
    const int rank = transport.rank();
    const int size = transport.size();
    int stride = 1;
    while (stride < size) {
        stride *= 2;
    }
    for (; stride >= 1; stride /= 2) {
        // A rank that still sends holds the values of all ranks from its own to the next rank that sends.
        if (rank % (2 * stride) == stride) {
            values.resize(static_cast<std::size_t>(std::min(stride, size - rank)));
            transport.receive(rank - stride, std::as_writable_bytes(std::span(values)));
        }
        if (rank % (2 * stride) == 0 && rank + stride < size) {
            transport.send(rank + stride, std::as_bytes(std::span(values).subspan(static_cast<std::size_t>(stride))));
            values.resize(static_cast<std::size_t>(stride));
        }
    }
    return values.front();
}

/// The values of all ranks, of each any number, in the order of ranks.
template <class T>
void gather_everywhere(Transport& transport, std::vector<T>& values) {
    const auto send_all = [&](int to) {
        send_value(transport, to, values.size());
        if (!values.empty()) {
            transport.send(to, std::as_bytes(std::span(values)));
        }
    };
    const auto append_all = [&](int from) {
        const std::size_t known = values.size();
        values.resize(known + receive_value<std::size_t>(transport, from));
        if (values.size() > known) {
            transport.receive(from, std::as_writable_bytes(std::span(values).subspan(known)));
        }
    };
    const int rank = transport.rank();
    int stride = 1;
    for (; stride < transport.size() && rank % (2 * stride) == 0; stride *= 2) {
        if (rank + stride < transport.size()) {
            append_all(rank + stride);
        }
    }
    if (rank > 0) {
        send_all(rank - stride);
        values.clear();
        append_all(rank - stride);
    }
    for (stride /= 2; stride >= 1; stride /= 2) {
        if (rank + stride < transport.size()) {
            send_all(rank + stride);
        }
    }
}

/// The largest of all ranks' values, on every rank; NaN if one of them is.
[[nodiscard]] double largest(Transport& transport, double value);

/// The largest of all ranks' values, one by one, in rank 0's; the other ranks' values are left partly combined.
void reduce_largest(Transport& transport, std::span<double> values);

/// The bitwise or of all ranks' flags, element by element, on every rank.
void combine_flags(Transport& transport, std::span<std::uint16_t> flags);

} // namespace ictus::control
