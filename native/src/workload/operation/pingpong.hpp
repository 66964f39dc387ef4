// A message from rank 0 to a partner and one back. The partner returns its own message, so that both directions are
// checked. All other ranks are idle. Where the partner is rank 0 itself, as with a single rank, it sends both messages
// to itself.
#pragma once

#include "workload/operation/collective.hpp"
#include "workload/operation/form.hpp"

namespace ictus::operation {

inline constexpr int pingpong_tag = 1;

inline constexpr Parameter pingpong_parameters[] = {
    {.name = "time",
     .type = Parameter::Type::choice,
     .default_value = "round-trip",
     .help = "time of both ways, or half of it",
     .choices = "round-trip half"},
    {.name = "partner",
     .type = Parameter::Type::count,
     .default_value = "auto",
     .help = "rank that rank 0 exchanges with; auto: the last",
     .allows_auto = true},
};

/// The rank of parameter `partner`. Throws a usage Error where there is no such rank.
[[nodiscard]] int partner_of(const Bound& bound, int n_ranks);
/// The blocks of a rank: rank 0 and its partner have one message each.
[[nodiscard]] Blocks pingpong_blocks(const Bound& bound, const CallSite& site);

/// The message as MPI counts it.
struct TypedMessage {
    int count;
    MPI_Datatype type;
    MPI_Comm comm;
};

/// What a rank of a ping-pong sends and where it receives.
struct PingPongEnds {
    const std::byte* sent;
    std::byte* received;
    int partner; ///< of this rank
};

/// `Way(message)`, or `Way(message, ends)` where it is bound to its buffers, is how a message is moved: send(from, to),
/// receive(into, from) and, for a rank alone, pass(from, into).
template <class Way>
class PingPong final : public Collective {
public:
    PingPong(const OperationMember& member, const Bound& bound, const CallSite& site)
        : Collective(member, site, pingpong_blocks(bound, site)), half_(bound.text("time") == "half"),
          partner_(partner_of(bound, site.n_ranks)), way_(make_way()) {
        require_buffers_that_stay(member, site.area_bytes);
    }

    BoundCall bind() override { return BoundCall::run(*this); }
    int run() {
        if (rank() == partner_) {
            return rank() == 0 ? play_alone() : answer();
        }
        return rank() == 0 ? serve() : MPI_SUCCESS;
    }

    [[nodiscard]] std::uint64_t parts() const override { return half_ ? 2 : 1; }

private:
    Way make_way() const {
        const TypedMessage message{count<int>(), type(), comm()};
        if constexpr (std::is_constructible_v<Way, const TypedMessage&, const PingPongEnds&>) {
            return Way(message, PingPongEnds{send(), receive(), rank() == 0 ? partner_ : 0});
        } else {
            return Way(message);
        }
    }

    int serve() {
        const int code = way_.send(send(), partner_);
        return code != MPI_SUCCESS ? code : way_.receive(receive(), partner_);
    }
    int answer() {
        const int code = way_.receive(receive(), 0);
        return code != MPI_SUCCESS ? code : way_.send(send(), 0);
    }
    int play_alone() {
        const int code = way_.pass(send(), receive());
        return code != MPI_SUCCESS ? code : way_.pass(send(), receive());
    }

    [[nodiscard]] BlockSource block_source(int) const override { return BlockSource::rank(rank() == 0 ? partner_ : 0); }

    bool half_;
    int partner_;
    Way way_;
};

} // namespace ictus::operation
