// The simulated world itself: what it holds, and what it says when nobody can go on.
#include "transport/simulated_world.hpp"
#include "check.hpp"
#include "transport/control.hpp"

#include <sys/resource.h>

using namespace ictus;

namespace {

SimulatedSettings ranks(int size) {
    SimulatedSettings settings;
    settings.size = size;
    return settings;
}

/// The most memory that this process has held so far, bytes.
double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

} // namespace

TEST(only_pairs_of_ranks_that_exchange_messages_take_memory) {
    // 16,384 ranks have 268 million pairs: 2 GiB if each took but a pointer. 40 KiB a rank for its stack, doubled by
    // the sanitizers, and for its two or three links.
    constexpr int size = 16384;
    const double before = peak_bytes();
    SimulatedWorld world(ranks(size));
    std::uint64_t messages = 0;
    double largest = 0.0;
    world.run([&](Transport& transport) {
        largest = control::largest(transport, transport.rank());
        messages += transport.messages_sent();
    });
    CHECK_EQ(size - 1.0, largest);
    CHECK_EQ(std::uint64_t{2} * (size - 1), messages);
    CHECK(peak_bytes() - before < 64.0 * 1024.0 * size);
}

TEST(a_message_waits_for_its_receiver_and_a_receiver_for_its_message) {
    // The same exchange whichever fiber runs first: a message of 1 us arrives then, early or late.
    for (const int sender : {0, 1}) {
        SimulatedWorld world(ranks(2));
        world.run([&](Transport& transport) {
            if (transport.rank() == sender) {
                send_value(transport, 1 - sender, 7);
                send_value(transport, 1 - sender, 8);
            } else {
                CHECK_EQ(7, receive_value<int>(transport, sender));
                CHECK_EQ(8, receive_value<int>(transport, sender));
            }
        });
        CHECK_NEAR(1e-6, world.true_time(1 - sender), 1e-15);
    }
}

TEST(a_message_of_another_rank_does_not_end_a_wait) {
    SimulatedWorld world(ranks(3));
    world.run([](Transport& transport) {
        if (transport.rank() == 0) {
            CHECK_EQ(2, receive_value<int>(transport, 2)); // rank 1's has come first
            CHECK_EQ(1, receive_value<int>(transport, 1));
        } else if (transport.rank() == 1) {
            send_value(transport, 0, 1);
            send_value(transport, 2, 1);
        } else {
            (void)receive_value<int>(transport, 1);
            send_value(transport, 0, 2);
        }
    });
    CHECK_NEAR(2e-6, world.true_time(0), 1e-15);
}

TEST(ranks_that_wait_for_each_other_are_named) {
    SimulatedWorld world(ranks(3));
    CHECK_THROWS((world.run([](Transport& transport) {
                     if (transport.rank() > 0) {
                         (void)receive_value<int>(transport, 3 - transport.rank());
                     }
                 }),
                  0),
                 "every rank waits: rank 1 for rank 2; rank 2 for rank 1;");
}
