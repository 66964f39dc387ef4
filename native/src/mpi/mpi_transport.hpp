// The transport over MPI point-to-point messages and a base clock, on a private communicator.
#pragma once

#include "clock/clock.hpp"
#include "mpi/handles.hpp"
#include "mpi/rank_locations.hpp"
#include "transport/transport.hpp"

#include <vector>

namespace ictus::mpi {

class MpiTransport final : public Transport {
public:
    /// On a private duplicate of `comm`. Collective.
    MpiTransport(MPI_Comm comm, Clock& clock, RankLocations locations)
        : MpiTransport(Communicator::duplicate(comm), clock, std::move(locations)) {}
    /// On a communicator that nobody else sends messages on.
    MpiTransport(Communicator comm, Clock& clock, RankLocations locations);

    [[nodiscard]] MPI_Comm handle() const { return comm_.handle(); }
    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return size_; }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return locations_.all(); }
    void send(int to, std::span<const std::byte> message) override;
    void receive(int from, std::span<std::byte> message) override;
    /// MPI_Test for some ten microseconds, then as receive(): the other rank may wait for this core. MPICH's MPI_Recv
    /// yields between two looks, which doubles a round trip on one host.
    void poll(int from, std::span<std::byte> message) override;
    void exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;
    void exchange_all(std::span<const MessagePair> all) override;
    [[nodiscard]] LocalTime now() override { return clock_.to_local(clock_.now()); }
    void wait_until(LocalTime instant) override { clock_.wait_until(clock_.to_ticks(instant)); }
    void library_barrier() override;
    [[nodiscard]] BoundCall bind_library_barrier() override { return BoundCall(MPI_Barrier, comm_.handle()); }
    [[nodiscard]] std::uint64_t messages_sent() const override { return sent_; }

private:
    Communicator comm_;
    Clock& clock_;
    RankLocations locations_;
    int rank_;
    int size_;
    std::uint64_t sent_ = 0;
    std::vector<MPI_Request> requests_; ///< of exchange_all; kept, so that a barrier allocates nothing
};

} // namespace ictus::mpi
