#include "profile/arrivals.hpp"

namespace ictus::profile {

std::uint32_t Arrivals::find(std::uint32_t communicator, std::uint32_t call, std::uint64_t size_class,
                             std::uint64_t group_hash) noexcept {
    std::uint64_t hash = SplitMix64::mix(group_hash + call);
    hash = SplitMix64::mix(hash ^ size_class);
    return find(communicator, call, size_class, hash, hash);
}

std::uint32_t Arrivals::ends_of(std::uint32_t stream) noexcept {
    const Stream& one = streams_[stream];
    return find(one.communicator, one.call | is_end, one.size_class, one.seed, one.seed + 1);
}

std::uint32_t Arrivals::find(std::uint32_t communicator, std::uint32_t call, std::uint64_t size_class,
                             std::uint64_t seed, std::uint64_t from) noexcept {
    for (std::uint32_t i = 0; i < max_streams; ++i) {
        const std::uint32_t at = static_cast<std::uint32_t>((from + i) % max_streams);
        Stream& one = streams_[at];
        std::uint32_t state = one.state.load(std::memory_order_acquire);
        if (state == 0 && one.state.compare_exchange_strong(state, 1)) {
            one.communicator = communicator;
            one.call = call;
            one.size_class = size_class;
            one.seed = seed;
            one.state.store(2, std::memory_order_release);
            return at;
        }
        while (one.state.load(std::memory_order_acquire) != 2) { // another thread makes it, in nanoseconds
        }
        if (one.communicator == communicator && one.call == call && one.size_class == size_class) {
            return at;
        }
    }
    return none;
}

void Arrivals::keep(std::uint32_t stream, const Arrival& arrival) noexcept {
    Stream& one = streams_[stream];
    Arrival* const own = arrivals_ + std::size_t{stream} * room;
    while (one.is_taken.exchange(true, std::memory_order_acquire)) {
    }
    while (one.kept.load(std::memory_order_relaxed) == room) {
        thin(one, own);
    }
    if (Stream::keeps(one.seed, one.mask.load(std::memory_order_relaxed), arrival.number)) {
        const std::uint32_t kept = one.kept.load(std::memory_order_relaxed);
        own[kept] = arrival;
        one.kept.store(kept + 1, std::memory_order_release); // a killed process leaves whole arrivals
    }
    one.is_taken.store(false, std::memory_order_release);
}

void Arrivals::thin(Stream& stream, Arrival* arrivals) noexcept {
    const std::uint64_t mask = stream.mask.load(std::memory_order_relaxed) << 1 | 1;
    stream.mask.store(mask, std::memory_order_relaxed);
    std::uint32_t left = 0;
    for (std::uint32_t i = 0; i < room; ++i) {
        if (Stream::keeps(stream.seed, mask, arrivals[i].number)) {
            arrivals[left++] = arrivals[i];
        }
    }
    stream.kept.store(left, std::memory_order_release);
}

} // namespace ictus::profile
