#include "transport/sub_transport.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <string>

namespace ictus {

SubTransport::SubTransport(Transport& base, std::vector<int> ranks) : base_(base), ranks_(std::move(ranks)) {
    const auto own = std::find(ranks_.begin(), ranks_.end(), base.rank());
    if (own == ranks_.end()) {
        throw measurement_error("rank " + std::to_string(base.rank()) + " is not among the ranks of its own group");
    }
    rank_ = static_cast<int>(own - ranks_.begin());
    locations_.reserve(ranks_.size());
    for (const int rank : ranks_) {
        locations_.push_back(base.locations()[static_cast<std::size_t>(rank)]);
    }
}

void SubTransport::exchange_all(std::span<const MessagePair> all) {
    std::vector<MessagePair> exchanges(all.begin(), all.end());
    for (MessagePair& one : exchanges) {
        one.to = base_rank(one.to);
        one.from = base_rank(one.from);
    }
    base_.exchange_all(exchanges);
}

void SubTransport::library_barrier() {
    throw measurement_error("the library's barrier was asked for among " + std::to_string(size()) +
                            " ranks only, but it is one of all ranks");
}

} // namespace ictus
