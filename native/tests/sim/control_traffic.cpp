#include "check.hpp"
#include "transport/control.hpp"
#include "transport/simulated_world.hpp"

using namespace ictus;

namespace {

SimulatedSettings ranks(int size) {
    SimulatedSettings settings;
    settings.size = size;
    return settings;
}

} // namespace

TEST(scatter_gives_each_rank_its_own_value) {
    for (int size = 1; size <= 17; ++size) {
        SimulatedWorld world(ranks(size));
        std::vector<double> received(static_cast<std::size_t>(size), -1.0);
        std::uint64_t messages = 0;
        world.run([&](Transport& transport) {
            std::vector<double> values;
            for (int rank = 0; transport.rank() == 0 && rank < size; ++rank) {
                values.push_back(10.0 * rank);
            }
            received[static_cast<std::size_t>(transport.rank())] = control::scatter(transport, values);
            messages += transport.messages_sent();
        });
        for (int rank = 0; rank < size; ++rank) {
            CHECK_EQ(10.0 * rank, received[static_cast<std::size_t>(rank)]);
        }
        CHECK_EQ(static_cast<std::uint64_t>(size - 1), messages);
    }
}

TEST(scatter_takes_the_logarithm_of_the_ranks) {
    // Each round is one message of 1 us; sending takes no time in this world.
    for (const auto& [size, rounds] : {std::pair{2, 1}, {8, 3}, {9, 4}, {64, 6}}) {
        SimulatedWorld world(ranks(size));
        world.run([size = size](Transport& transport) {
            (void)control::scatter(transport, std::vector<int>(static_cast<std::size_t>(size)));
        });
        double last = 0.0;
        for (int rank = 0; rank < size; ++rank) {
            last = std::max(last, world.true_time(rank));
        }
        CHECK(last <= rounds * 1e-6 + 1e-12);
    }
}
