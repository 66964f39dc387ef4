// Probes of the machine between two threads, which stand for two ranks.
#include "check.hpp"
#include "machine/probe.hpp"

#include <cmath>
#include <thread>

using namespace ictus::machine;

namespace {

SharedSlots two_slots() {
    std::optional<SharedSlots> slots = SharedSlots::create(2);
    CHECK(slots.has_value());
    return std::move(*slots);
}

} // namespace

TEST(both_sides_of_a_round_trip_measure_the_same_one) {
    bool holds = false;
    for (int attempt = 0; attempt < 20 && !holds; ++attempt) { // others may use the cores, between line and block too
        const SharedSlots slots = two_slots();
        RoundTrips there{};
        std::thread other([&] { there = measure_round_trips(slots[1], slots[0], Turn::second); });
        const RoundTrips here = measure_round_trips(slots[0], slots[1], Turn::first);
        other.join();
        if (std::isnan(here.line_s) || std::isnan(there.line_s)) {
            return; // one core for both threads: no answer within milliseconds is no state of the machine
        }
        CHECK(here.line_s > 1e-9 && here.line_s < 1e-2);
        const bool travels_too = here.block_s > 0.5 * here.line_s; // as lines do, and is copied besides
        holds = travels_too && std::abs(std::log(here.line_s / there.line_s)) < 1.0;
    }
    CHECK(holds);
}

TEST(a_neighbour_that_never_comes_leaves_no_number_and_no_hang) {
    const SharedSlots slots = two_slots();
    const RoundTrips alone = measure_round_trips(slots[0], slots[1], Turn::second);
    CHECK(std::isnan(alone.line_s) && std::isnan(alone.block_s));
    const RoundTrips late = measure_round_trips(slots[1], slots[0], Turn::first); // the first has given up
    CHECK(std::isnan(late.line_s) && std::isnan(late.block_s));
}

TEST(slots_are_one_memory_until_the_last_process_leaves_and_are_found_until_they_are_closed) {
    SharedSlots own = two_slots();
    const SharedSlots::Place place = own.place();
    std::optional<SharedSlots> other = SharedSlots::open(place, 2);
    CHECK(!SharedSlots::open({place.process, place.file, place.number + 1}, 2).has_value()); // another's file
    CHECK(other.has_value());
    own[1].turn.store(7);
    CHECK_EQ(7U, (*other)[1].turn.load());
    own.close();
    CHECK(!SharedSlots::open(place, 2).has_value());
    (*other)[0].turn.store(9);
    CHECK_EQ(9U, own[0].turn.load());
}

TEST(a_core_multiplies_between_a_million_and_ten_billion_times_a_second) {
    const double speed = multiplications_hz();
    CHECK(speed > 1e6 && speed < 1e10);
}

TEST(a_copy_is_complete_and_has_a_bandwidth) {
    const std::vector<std::byte> from(1 << 16, std::byte{5});
    std::vector<std::byte> to(1 << 16);
    CHECK(copy_bandwidth(from, to) > 1e6);
    CHECK(from == to);
}
