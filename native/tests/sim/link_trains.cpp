// Trains of messages over a link whose latency, overhead and delays are known.
#include "check.hpp"
#include "study/link.hpp"
#include "transport/simulated_world.hpp"

using namespace ictus;

namespace {

constexpr double latency = 2e-6;
constexpr double reading = 2e-8;
constexpr std::size_t n = 16;

TrainSample sample_of(const SimulatedSettings& settings) {
    SimulatedWorld world(settings);
    TrainSample sample;
    world.run([&](Transport& transport) {
        std::vector<std::byte> buffer(100);
        if (transport.rank() == 0) {
            sample = send_trains(transport, 1, n, buffer);
        } else {
            answer_trains(transport, 0, n, buffer);
        }
    });
    return sample;
}

SimulatedSettings link() {
    SimulatedSettings settings;
    settings.reading_s = reading;
    settings.link.latency_s = latency;
    return settings;
}

} // namespace

TEST(a_single_round_trip_is_two_latencies_and_a_train_takes_no_longer_where_sending_takes_no_time) {
    const TrainSample sample = sample_of(link());
    CHECK_NEAR(2 * latency, sample.single_s, 2 * reading);
    CHECK_NEAR(sample.single_s, sample.train_s, 1e-12);
}

TEST(a_delayed_train_takes_its_delays_and_what_is_left_is_the_overhead_of_a_message) {
    // Sending costs nothing here: between two messages lie the delay, which is a single round trip, and the readings
    // around it that the delay does not hold.
    const TrainSample sample = sample_of(link());
    CHECK(sample.waited_s >= (n - 1) * sample.single_s);
    CHECK_NEAR((n - 1) * sample.single_s, sample.waited_s, n * 3 * reading);
    const double overhead = (sample.delayed_s - sample.single_s - sample.waited_s) / (n - 1);
    CHECK(overhead >= 0.0 && overhead <= 2 * reading);
}

TEST(a_longer_way_back_lengthens_round_trips_and_no_overhead) {
    SimulatedSettings slow = link();
    slow.link.asymmetry_s = 5e-6;
    const TrainSample sample = sample_of(slow);
    CHECK_NEAR(2 * latency + 5e-6, sample.single_s, 2 * reading);
    CHECK((sample.delayed_s - sample.single_s - sample.waited_s) / (n - 1) <= 2 * reading);
}

TEST(a_stream_ends_when_the_receiver_says_so) {
    SimulatedWorld world(link());
    double elapsed_s = 0.0;
    world.run([&](Transport& transport) {
        std::vector<std::byte> buffer(100);
        if (transport.rank() == 1) {
            elapsed_s = send_stream(transport, 0, 8, buffer);
        } else {
            receive_stream(transport, 1, 8, buffer);
        }
    });
    CHECK_NEAR(2 * latency, elapsed_s, 2 * reading);
}
