// The interface under clock and process synchronisation: messages between ranks, a local clock, and waiting for an
// instant. Two implementations: MPI (mpi/mpi_transport), and a deterministic world of virtual time
// (transport/simulated_world) in which every algorithm is proved against known truth.
#pragma once

#include "base/bound_call.hpp"
#include "base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace ictus {

/// Where a rank runs, for the group algorithms. Equal numbers mean the same host, the same socket of the same host, the
/// same counter. `domain` is a claim (these ranks read one physical counter) that must be verified by measurements
/// before it is used.
struct RankLocation {
    int host = 0;
    int socket = 0;
    int domain = 0;
    friend bool operator==(const RankLocation&, const RankLocation&) = default;
};

/// One message out and one in, as a part of a round of several.
struct MessagePair {
    int to;
    std::span<const std::byte> out;
    int from;
    std::span<std::byte> in;
};

class Transport {
public:
    virtual ~Transport() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;
    /// One entry a rank, the same on all ranks.
    [[nodiscard]] virtual std::span<const RankLocation> locations() const = 0;
    /// The number of `rank` among all ranks, for messages to users; it differs where only some ranks take part.
    [[nodiscard]] virtual int world_rank(int rank) const { return rank; }

    /// Standard-mode blocking send, the same mode for every purpose: measuring the round trip in one mode and the
    /// offset in another leaves a bias.
    virtual void send(int to, std::span<const std::byte> message) = 0;
    virtual void receive(int from, std::span<std::byte> message) = 0;
    /// The same for a message that is on its way: looks for it again and again where receive() may give the core away
    /// between two looks, which takes longer than the message.
    virtual void poll(int from, std::span<std::byte> message) { receive(from, message); }
    /// Sends and receives at once, without the risk that two ranks wait for each other.
    virtual void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) = 0;

    /// Several exchanges with different ranks, at the same time where the transport can.
    virtual void exchange_all(std::span<const MessagePair> all) {
        for (const MessagePair& one : all) {
            exchange(one.to, one.out, one.from, one.in);
        }
    }

    [[nodiscard]] virtual LocalTime now() = 0;
    /// Returns at the first reading that is not before `instant`. No other code may loop on time.
    virtual void wait_until(LocalTime instant) = 0;

    /// The MPI library's own barrier, for family barrier.
    virtual void library_barrier() = 0;
    /// The same as a call to be timed; over MPI it is the library's function itself.
    [[nodiscard]] virtual BoundCall bind_library_barrier() {
        constexpr auto wait = [](Transport* transport) {
            transport->library_barrier();
            return 0;
        };
        return BoundCall(+wait, this);
    }

    /// Messages that this rank has sent so far: the cost of a synchronisation.
    [[nodiscard]] virtual std::uint64_t messages_sent() const = 0;
};

/// Messages are plain values; both sides name the type.
template <class T>
void send_value(Transport& transport, int to, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    transport.send(to, std::as_bytes(std::span(&value, 1)));
}

template <class T>
[[nodiscard]] T receive_value(Transport& transport, int from) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    transport.receive(from, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

/// Likewise, by poll().
template <class T>
[[nodiscard]] T poll_value(Transport& transport, int from) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    transport.poll(from, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

} // namespace ictus
