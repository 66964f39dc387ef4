// Every offset estimator on real ranks with skewed clocks: what it proves must hold, whatever the load.
#include "check.hpp"
#include "offset/offset.hpp"
#include "skewed_world.hpp"

using namespace ictus;

namespace {

constexpr double rounding_s = 2e-9; // skewed clocks show whole nanoseconds; an offset comes of two readings of each

/// The member with few exchanges, for oversubscribed ranks may take milliseconds over each.
std::string brief(const MemberInfo& member) {
    std::string arguments;
    for (const Parameter& parameter : member.parameters) {
        if (parameter.name == "exchanges" || parameter.name == "rtt_exchanges" || parameter.name == "patience") {
            arguments += (arguments.empty() ? "(" : ",") + std::string(parameter.name) + "=20";
        }
    }
    return std::string(member.name) + (arguments.empty() ? "" : arguments + ")");
}

std::unique_ptr<OffsetEstimator> make(const MemberInfo& member) {
    return offset::registry().make(bind(offset::family(), parse_spec(brief(member))));
}

/// The one check of all tests here.
void judge(ClockOffset truth, const OffsetSample& sample) {
    CHECK_NEAR(truth.s, sample.offset.s, sample.bound + rounding_s);
}

/// Rank 0 and each other rank in turn, `rank 0` in the role given. The sample is that of the client; others get none.
OffsetSample meet_rank_0(SkewedWorld& world, OffsetEstimator& estimator, int peer, Role root_role) {
    const int rank = world.transport().rank();
    if (rank == 0) {
        return estimator.measure(world.transport(), {peer, root_role});
    }
    const Role role = root_role == Role::reference ? Role::client : Role::reference;
    return rank == peer ? estimator.measure(world.transport(), {0, role}) : OffsetSample{};
}

} // namespace

TEST(every_estimator_is_within_its_bound_on_every_rank) {
    SkewedWorld world("skewed(base=monotonic,offset=2s,drift=0,seed=6)");
    const ClockOffset truth = world.ahead_of_root();
    for (const MemberInfo* member : offset::family().members) {
        const auto estimator = make(*member);
        for (int round = 0; round < 3; ++round) {
            for (int peer = 1; peer < world.transport().size(); ++peer) {
                const OffsetSample sample = meet_rank_0(world, *estimator, peer, Role::reference);
                if (world.transport().rank() != peer) {
                    continue;
                }
                judge(truth, sample);
                CHECK(sample.min_round_trip > 0.0 && sample.min_round_trip < 1.0);
                CHECK(sample.bound < 1.0); // the clocks are seconds apart: a bound that says something
            }
        }
    }
}

TEST(rank_0_can_be_the_client_as_well) {
    SkewedWorld world("skewed(base=monotonic,offset=2s,drift=0,seed=7)");
    const ClockOffset truth = world.ahead_of_root();
    for (const MemberInfo* member : offset::family().members) {
        const auto estimator = make(*member);
        for (int peer = 1; peer < world.transport().size(); ++peer) {
            const OffsetSample sample = meet_rank_0(world, *estimator, peer, Role::client);
            if (world.transport().rank() == 0) {
                const auto ahead = receive_value<ClockOffset>(world.transport(), peer);
                judge(ClockOffset(-ahead.s), sample);
            } else if (world.transport().rank() == peer) {
                send_value(world.transport(), 0, truth);
            }
        }
    }
}

TEST(a_message_that_is_looked_for_may_come_late) {
    // 2 ms are a hundred times as long as anybody looks without giving the core away.
    SkewedWorld world("skewed(base=monotonic,offset=2s,drift=0,seed=8)");
    Transport& transport = world.transport();
    for (int peer = 1; peer < transport.size(); ++peer) {
        if (transport.rank() == 0) {
            transport.wait_until(transport.now() + 2e-3);
            send_value(transport, peer, 40 + peer);
            CHECK_EQ(80 + peer, poll_value<int>(transport, peer)); // this one comes at once
        } else if (transport.rank() == peer) {
            CHECK_EQ(40 + peer, poll_value<int>(transport, 0));
            send_value(transport, 0, 80 + peer);
        }
    }
}

TEST(clocks_that_start_at_zero) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    const ClockOffset truth = world.ahead_of_root(); // each rank's zero is an instant of its own
    for (const MemberInfo* member : offset::family().members) {
        const auto estimator = make(*member);
        for (int peer = 1; peer < world.transport().size(); ++peer) {
            const OffsetSample sample = meet_rank_0(world, *estimator, peer, Role::reference);
            if (world.transport().rank() == peer) {
                judge(truth, sample);
            }
        }
    }
}

TEST(a_wrong_truth_is_found_out) {
    SkewedWorld world("skewed(base=monotonic,offset=2s,drift=0,seed=6)"); // shows that the checks above can fail
    const ClockOffset truth = world.ahead_of_root();
    for (const MemberInfo* member : offset::family().members) {
        const auto estimator = make(*member);
        for (int peer = 1; peer < world.transport().size(); ++peer) {
            const OffsetSample sample = meet_rank_0(world, *estimator, peer, Role::reference);
            if (world.transport().rank() == peer) {
                const double wrong = 2.0 * (sample.bound + rounding_s) + 1e-9;
                CHECK_THROWS(judge(truth + wrong, sample), "expected");
                CHECK_THROWS(judge(truth - wrong, sample), "expected");
                CHECK(std::abs(truth.s) > 1e-3); // the clocks do differ
            }
        }
    }
}
