// MPI_Send and MPI_Recv from rank 0 to a partner, and back; alone, MPI_Sendrecv.
#include "workload/operation/pingpong.hpp"

namespace ictus::operation {
namespace {

class DirectMessages {
public:
    explicit DirectMessages(const TypedMessage& message) : message_(message) {}

    int send(const std::byte* from, int to) const {
        return MPI_Send(from, message_.count, message_.type, to, pingpong_tag, message_.comm);
    }
    int receive(std::byte* into, int from) const {
        return MPI_Recv(into, message_.count, message_.type, from, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
    }
    int pass(const std::byte* from, std::byte* into) const {
        return MPI_Sendrecv(from, message_.count, message_.type, 0, pingpong_tag, into, message_.count, message_.type,
                            0, pingpong_tag, message_.comm, MPI_STATUS_IGNORE);
    }

private:
    TypedMessage message_;
};

} // namespace

int partner_of(const Bound& bound, int n_ranks) {
    if (bound.is_auto("partner")) {
        return n_ranks - 1;
    }
    const std::uint64_t partner = bound.count("partner");
    if (partner >= static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error("operation '" + std::string(bound.info().name) + "', parameter 'partner': " +
                          std::to_string(partner) + " is not one of the ranks 0 to " + std::to_string(n_ranks - 1));
    }
    return static_cast<int>(partner);
}

Blocks pingpong_blocks(const Bound& bound, const CallSite& site) {
    const bool plays = site.rank == 0 || site.rank == partner_of(bound, site.n_ranks);
    return plays ? Blocks{.sent = one_block(site), .received = one_block(site)} : Blocks{};
}

extern constinit const OperationMember pingpong = composed<PingPong<DirectMessages>>(
    "pingpong", "MPI_Send",
    {
        .summary = "a message from rank 0 to another and one back; all others are idle",
        .volume = Volume::message,
        .parameters = pingpong_parameters,
    });

} // namespace ictus::operation
