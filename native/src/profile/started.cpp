#include "profile/started.hpp"

namespace ictus::profile {

void StartedCalls::add(MPI_Request request, const StartedCall& call) {
    const std::scoped_lock turn(turn_);
    if (request != MPI_REQUEST_NULL && calls_.size() < most) {
        calls_.insert_or_assign(request, call);
        n_.store(calls_.size(), std::memory_order_release);
    }
}

std::optional<StartedCall> StartedCalls::start(MPI_Request request) {
    const std::scoped_lock turn(turn_);
    const auto found = calls_.find(request);
    if (found == calls_.end() || !found->second.is_persistent) {
        return std::nullopt;
    }
    ++found->second.starts;
    return found->second;
}

std::optional<StartedCall> StartedCalls::find(MPI_Request request) {
    const std::scoped_lock turn(turn_);
    const auto found = calls_.find(request);
    return found != calls_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<StartedCall> StartedCalls::only(const Requests& requests) {
    MPI_Request one = MPI_REQUEST_NULL;
    for (int i = 0; i < requests.n; ++i) {
        const MPI_Request other = requests[i];
        if (other != MPI_REQUEST_NULL && one != MPI_REQUEST_NULL) {
            return std::nullopt;
        }
        one = other != MPI_REQUEST_NULL ? other : one;
    }
    return find(one);
}

std::vector<std::pair<int, MPI_Request>> StartedCalls::known(const Requests& requests) {
    std::vector<std::pair<int, MPI_Request>> all;
    const std::scoped_lock turn(turn_);
    for (int i = 0; i < requests.n; ++i) {
        if (const MPI_Request one = requests[i]; calls_.contains(one)) {
            all.emplace_back(i, one);
        }
    }
    return all;
}

void StartedCalls::forget_ended(const Requests& requests, const std::vector<std::pair<int, MPI_Request>>& before) {
    for (const auto& [i, request] : before) {
        if (requests[i] == MPI_REQUEST_NULL) {
            forget(request);
        }
    }
}

void StartedCalls::forget(MPI_Request request) {
    const std::scoped_lock turn(turn_);
    calls_.erase(request);
    n_.store(calls_.size(), std::memory_order_release);
}

} // namespace ictus::profile
