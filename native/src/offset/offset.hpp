// Family offset: how far a client's clock is ahead of a reference's, measured by messages between the two.
#pragma once

#include "base/registry.hpp"
#include "clockmath/rounds.hpp"
#include "transport/transport.hpp"

namespace ictus {

/// What the client learnt. Durations in seconds.
struct OffsetSample {
    LocalTime at{};              ///< the client's time at which it holds
    ClockOffset offset{};        ///< client minus reference
    double bound = 0.0;          ///< proven: the true offset is within +-bound, but for drift during the measurement
    double min_round_trip = 0.0; ///< the shortest send-to-receive time seen
};

/// An object may store what it learnt of a peer, so it is for the ranks of one communicator only.
class OffsetEstimator {
public:
    virtual ~OffsetEstimator() = default;
    /// Called by both ranks of a pair. Only the client's result means anything.
    virtual OffsetSample measure(Transport& transport, const Meeting& meeting) = 0;
};

using OffsetMember = Member<OffsetEstimator>;

namespace offset {
[[nodiscard]] const Registry<OffsetEstimator>& registry();
[[nodiscard]] const FamilyInfo& family();

/// The number of round trips of an estimator; `help` says what it does with them.
[[nodiscard]] constexpr Parameter exchanges_parameter(std::string_view help) {
    return {.name = "exchanges",
            .type = Parameter::Type::count,
            .default_value = "100",
            .help = help,
            .minimum = 1,
            .maximum = 1e6};
}
} // namespace offset

} // namespace ictus
