// Real ranks with clocks of known skew on one shared counter, so that the true error of a global clock can be computed.
#pragma once

#include "clock/skewed.hpp"
#include "clocksync/clocksync.hpp"
#include "mpi/hosts.hpp"
#include "mpi/mpi_transport.hpp"
#include "transport/control.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace ictus {

class SkewedWorld {
public:
    /// `clock` names a skewed clock; `wander` must be 0, so that the future is known too. Each rank has an epoch of its
    /// own, so that a claim of `host` is wrong: whoever makes it shows that it is found out.
    explicit SkewedWorld(const std::string& clock, mpi::DomainClaim claim = mpi::DomainClaim::automatic)
        : topology_(mpi::read_topology(MPI_COMM_WORLD)), clock_(make(clock)),
          transport_(MPI_COMM_WORLD, *clock_, mpi::claim_domains(topology_, MPI_COMM_WORLD, claim, *clock_)) {}

    [[nodiscard]] mpi::MpiTransport& transport() { return transport_; }
    [[nodiscard]] Clock& clock() { return *clock_; }
    [[nodiscard]] bool oversubscribed() const { return topology_.oversubscribed; }

    [[nodiscard]] Synchronised synchronise(const std::string& algorithm) {
        return clocksync::registry().make(bind(clocksync::family(), parse_spec(algorithm)))->synchronise(transport_);
    }

    /// The largest error of all ranks' global clocks, `wait` seconds from now; the same on all ranks.
    [[nodiscard]] double largest_error(const ClockModel& model, double wait) {
        const std::int64_t instant =
            control::broadcast_value(transport_, base_raw() + static_cast<std::int64_t>(wait * clock_->frequency_hz()));
        const GlobalTime own = model.to_global(skewed().at(instant));
        const GlobalTime root = control::broadcast_value(transport_, own);
        return control::largest(transport_, std::abs(own - root));
    }

    /// By how much this rank's clock is ahead of rank 0's now: the true offset; without drift it is so at all times.
    [[nodiscard]] ClockOffset ahead_of_root() {
        const LocalTime own = skewed().at(control::broadcast_value(transport_, base_raw()));
        return own - control::broadcast_value(transport_, as_reference(own));
    }

    /// The shortest round trip between rank 0 and any other, the largest over ranks.
    [[nodiscard]] double round_trip() {
        double shortest = transport_.size() == 1 ? 0.0 : 1.0;
        for (int peer = 1; peer < transport_.size(); ++peer) {
            for (int i = 0; i < 100; ++i) {
                if (transport_.rank() == 0) {
                    const LocalTime begin = transport_.now();
                    send_value(transport_, peer, begin);
                    (void)receive_value<LocalTime>(transport_, peer);
                    shortest = std::min(shortest, transport_.now() - begin);
                } else if (transport_.rank() == peer) {
                    send_value(transport_, 0, receive_value<LocalTime>(transport_, 0));
                }
            }
        }
        return control::broadcast_value(transport_, shortest);
    }

    /// The shared counter, which no skew touches.
    [[nodiscard]] std::int64_t base_raw() { return skewed().base().epoch() + skewed().base().now().count; }
    [[nodiscard]] double seconds(std::int64_t ticks) const {
        return static_cast<double>(ticks) / clock_->frequency_hz();
    }

private:
    [[nodiscard]] SkewedClock& skewed() { return static_cast<SkewedClock&>(*clock_); }

    std::unique_ptr<Clock> make(const std::string& clock) const {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        const ClockContext place{
            .rank = rank, .host = topology_.host_leader, .frequency_hz = 0.0, .yields = topology_.oversubscribed};
        return clock::registry().make(bind(clock::family(), parse_spec(clock)), place);
    }

    mpi::HostTopology topology_;
    std::unique_ptr<Clock> clock_;
    mpi::MpiTransport transport_;
};

} // namespace ictus
