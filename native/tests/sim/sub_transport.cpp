// Some ranks of a world as a world of their own.
#include "transport/sub_transport.hpp"
#include "check.hpp"
#include "transport/control.hpp"
#include "transport/simulated_world.hpp"

using namespace ictus;

TEST(ranks_places_and_messages_are_those_of_the_list) {
    SimulatedSettings settings;
    settings.size = 6;
    settings.ranks_per_host = 2;
    SimulatedWorld world(settings);
    world.run([](Transport& transport) {
        if (transport.rank() % 2 == 0) {
            return;
        }
        SubTransport odd(transport, {5, 1, 3}); // in any order: the first is the root
        CHECK_EQ(3, odd.size());
        CHECK_EQ(transport.rank(), odd.world_rank(odd.rank()));
        CHECK_EQ(transport.rank() / 2, odd.locations()[static_cast<std::size_t>(odd.rank())].host);
        CHECK_EQ(5, control::broadcast_value(odd, transport.rank()));
        CHECK_EQ(5.0, control::largest(odd, transport.rank()));
        CHECK_EQ(transport.messages_sent(), odd.messages_sent());
        int heard = 0;
        const int own = transport.rank();
        odd.exchange((odd.rank() + 1) % 3, std::as_bytes(std::span(&own, 1)), (odd.rank() + 2) % 3,
                     std::as_writable_bytes(std::span(&heard, 1)));
        CHECK_EQ(own == 1 ? 5 : own == 3 ? 1 : 3, heard);
    });
}

TEST(a_group_inside_a_group_still_knows_the_worlds_ranks) {
    SimulatedSettings settings;
    settings.size = 4;
    SimulatedWorld world(settings);
    world.run([](Transport& transport) {
        if (transport.rank() == 0) {
            return;
        }
        SubTransport outer(transport, {1, 2, 3});
        if (outer.rank() == 0) {
            return;
        }
        SubTransport inner(outer, {1, 2});
        CHECK_EQ(transport.rank(), inner.world_rank(inner.rank()));
        CHECK_EQ(2, control::broadcast_value(inner, transport.rank()));
    });
}

TEST(what_a_part_cannot_do_is_refused) {
    SimulatedSettings settings;
    settings.size = 3;
    SimulatedWorld world(settings);
    world.run([](Transport& transport) {
        if (transport.rank() == 2) {
            CHECK_THROWS(SubTransport(transport, {0, 1}), "rank 2 is not among the ranks");
            return;
        }
        SubTransport two(transport, {0, 1});
        CHECK_THROWS((two.library_barrier(), 0), "among 2 ranks only");
    });
}
