#include "study/offset_pass.hpp"

namespace ictus {

std::optional<OffsetSample> measure_pass(Transport& transport, OffsetEstimator& estimator,
                                         std::span<const int> watched) {
    if (transport.rank() != 0) {
        (void)receive_value<std::byte>(transport, 0); // so that the first exchange does not wait for the root
        return estimator.measure(transport, {0, Role::client});
    }
    for (const int client : watched) {
        send_value(transport, client, std::byte{1});
        (void)estimator.measure(transport, {client, Role::reference});
    }
    return std::nullopt;
}

} // namespace ictus
