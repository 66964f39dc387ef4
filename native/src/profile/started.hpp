// Collective calls that a process has started and not ended: nonblocking ones, and those of persistent requests. They
// arrive when they start; what waits is the call that ends them (0046).
#pragma once

#include "interposition/argument.hpp"
#include "profile/counters.hpp"

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ictus::profile {

using interposition::Requests;

struct StartedCall {
    CallKey key;
    std::uint64_t bytes = 0;
    Sampled sampled;
    bool is_persistent = false;
    std::uint32_t starts = 0; ///< of a persistent request

    /// The number of its last start, the same on all processes: requests are made in one order, and may be started in
    /// another.
    [[nodiscard]] std::uint64_t number() const {
        return is_persistent ? (sampled.number + 1) << 32 | starts : sampled.number;
    }
};

/// By request. Any number of threads.
class StartedCalls {
public:
    static constexpr std::size_t most = 4096; ///< at once; of more nothing is known

    void add(MPI_Request request, const StartedCall& call);
    /// A persistent request starts again: its call; null: not one of a collective.
    [[nodiscard]] std::optional<StartedCall> start(MPI_Request request);
    /// What the only request that is not MPI_REQUEST_NULL stands for; null: there are several, or it is no collective.
    [[nodiscard]] std::optional<StartedCall> only(const Requests& requests);
    /// The places of these requests that are known, to be asked for behind the call that may end them.
    [[nodiscard]] std::vector<std::pair<int, MPI_Request>> known(const Requests& requests);
    /// Of those, forgets the ones that are no more.
    void forget_ended(const Requests& requests, const std::vector<std::pair<int, MPI_Request>>& before);
    void forget(MPI_Request request);
    /// Whether there is any: the common program has none, and pays for no lock.
    [[nodiscard]] bool any() const { return n_.load(std::memory_order_acquire) != 0; }

private:
    [[nodiscard]] std::optional<StartedCall> find(MPI_Request request);

    std::mutex turn_;
    std::unordered_map<MPI_Request, StartedCall> calls_;
    std::atomic<std::size_t> n_ = 0;
};

} // namespace ictus::profile
