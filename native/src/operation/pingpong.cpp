// MPI_Send and MPI_Recv from rank 0 to a partner, and back. What comes back is the partner's own message, so that both
// ways are checked. All other ranks have nothing to do. Where the partner is rank 0 itself, as it must be where there
// is one rank alone, MPI_Sendrecv takes the message there and back.
#include "operation/collective.hpp"
#include "operation/composed.hpp"

namespace ictus::operation {
namespace {

constexpr int pingpong_tag = 1;

constexpr Parameter pingpong_parameters[] = {
    {.name = "time",
     .type = Parameter::Type::choice,
     .default_value = "round-trip",
     .help = "of both ways, or the half of it",
     .choices = "round-trip half"},
    {.name = "partner",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "rank that rank 0 plays with; auto: the last",
     .allows_auto = true},
};

int partner_of(const Bound& bound, int n_ranks) {
    if (bound.is_auto("partner")) {
        return n_ranks - 1;
    }
    const std::uint64_t partner = bound.count("partner");
    if (partner >= static_cast<std::uint64_t>(n_ranks)) {
        throw usage_error("operation 'pingpong', parameter 'partner': " + std::to_string(partner) +
                          " is not one of the ranks 0 to " + std::to_string(n_ranks - 1));
    }
    return static_cast<int>(partner);
}

Blocks pingpong_blocks(const Bound& bound, const CallSite& site) {
    const bool plays = site.rank == 0 || site.rank == partner_of(bound, site.n_ranks);
    return plays ? Blocks{.sent = one_block(site), .received = one_block(site)} : Blocks{};
}

class PingPong final : public Collective {
public:
    PingPong(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Collective(member, site, pingpong_blocks(bound, site)), half_(bound.text("time") == "half"),
          partner_(partner_of(bound, site.n_ranks)) {}

    int call() override {
        if (rank() == partner_) {
            return rank() == 0 ? play_alone() : answer();
        }
        return rank() == 0 ? serve() : MPI_SUCCESS;
    }

    [[nodiscard]] std::uint64_t parts() const override { return half_ ? 2 : 1; }

private:
    int serve() const {
        const int code = MPI_Send(send(), count<int>(), type(), partner_, pingpong_tag, comm());
        return code != MPI_SUCCESS ? code : take_from(partner_);
    }
    int answer() const {
        const int code = take_from(0);
        return code != MPI_SUCCESS ? code : MPI_Send(send(), count<int>(), type(), 0, pingpong_tag, comm());
    }
    int take_from(int rank) const {
        return MPI_Recv(receive(), count<int>(), type(), rank, pingpong_tag, comm(), MPI_STATUS_IGNORE);
    }
    int play_alone() const {
        int worst = MPI_SUCCESS;
        for (int way = 0; way < 2; ++way) {
            const int code = MPI_Sendrecv(send(), count<int>(), type(), 0, pingpong_tag, receive(), count<int>(),
                                          type(), 0, pingpong_tag, comm(), MPI_STATUS_IGNORE);
            worst = code != MPI_SUCCESS ? code : worst;
        }
        return worst;
    }

    [[nodiscard]] Origin origin(int) const override { return Origin::rank(rank() == 0 ? partner_ : 0); }

    bool half_;
    int partner_;
};

} // namespace

extern constinit const OperationMember pingpong =
    composed<PingPong>("pingpong", "MPI_Send",
                       {
                           .summary = "a message from rank 0 to another and one back; all others are idle",
                           .volume = Volume::message,
                           .parameters = pingpong_parameters,
                       });

} // namespace ictus::operation
