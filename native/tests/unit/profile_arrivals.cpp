// Which calls of a stream are kept: the same ones on all processes, from the whole run, in bounded memory.
#include "check.hpp"

#include "profile/arrivals.hpp"

#include <set>
#include <vector>

using namespace ictus;
using namespace ictus::profile;

namespace {

/// The memory of one process.
struct Process {
    std::vector<Stream> streams = std::vector<Stream>(Arrivals::max_streams);
    std::vector<Arrival> memory = std::vector<Arrival>(std::size_t{Arrivals::max_streams} * Arrivals::room);
    Arrivals arrivals{streams.data(), memory.data()};

    /// One call of a stream, entered at `at`.
    void call(std::uint32_t stream, std::int64_t at) {
        std::uint64_t number = 0;
        if (arrivals.next(stream, true, number)) {
            arrivals.keep(stream, {number, {at}, {at + 1}, 0.0, 0.0F, 0});
        }
    }
    std::vector<std::uint64_t> numbers(std::uint32_t stream) {
        std::vector<std::uint64_t> kept;
        for (std::uint32_t i = 0; i < streams[stream].kept; ++i) {
            kept.push_back(memory[std::size_t{stream} * Arrivals::room + i].number);
        }
        return kept;
    }
};

} // namespace

TEST(all_processes_keep_the_same_calls_in_bounded_memory) {
    Process a;
    Process b;
    for (int i = 0; i < 5; ++i) { // streams that the other process has not
        (void)b.arrivals.find(9, static_cast<std::uint32_t>(i), 8, 77);
    }
    const std::uint32_t in_a = a.arrivals.find(3, 1, 64, 4711);
    const std::uint32_t in_b = b.arrivals.find(5, 1, 64, 4711); // another number of the same communicator
    for (std::int64_t i = 0; i < 100'000; ++i) {
        a.call(in_a, i);
        b.call(in_b, 1000 + i);
        if (i + 1 == 512) { // the first ones all
            CHECK(a.numbers(in_a).size() == 512);
        }
    }
    const std::vector<std::uint64_t> kept = a.numbers(in_a);
    CHECK(kept == b.numbers(in_b));
    CHECK(kept.size() <= Arrivals::room && kept.size() > Arrivals::room / 4);
    CHECK(kept.front() < 3000 && kept.back() > 97'000);
    std::set<std::uint64_t> steps; // a program of 8 calls a step: none is preferred
    for (const std::uint64_t number : kept) {
        steps.insert(number % 8);
    }
    CHECK(steps.size() == 8);
}

TEST(arrivals_stay_whole_when_half_of_them_are_dropped) {
    Process one;
    const std::uint32_t stream = one.arrivals.find(0, 2, 8, 1);
    for (std::int64_t i = 0; i < 5000; ++i) {
        one.call(stream, 10 * i);
    }
    std::size_t n = 0;
    one.arrivals.each([&](const Arrival& arrival) {
        ++n;
        CHECK(arrival.entered.count == 10 * static_cast<std::int64_t>(arrival.number));
        CHECK(arrival.left - arrival.entered == 1);
    });
    CHECK(n == one.numbers(stream).size());
}

TEST(streams_are_found_again_until_their_table_is_full) {
    Process one;
    std::set<std::uint32_t> all;
    for (std::uint32_t i = 0; i < Arrivals::max_streams; ++i) {
        all.insert(one.arrivals.find(i % 4, i / 4, 8, i % 4));
    }
    CHECK(all.size() == Arrivals::max_streams && all.count(Arrivals::none) == 0);
    CHECK(one.arrivals.find(2, 7, 8, 2) == one.arrivals.find(2, 7, 8, 2));
    CHECK(all.count(one.arrivals.find(2, 7, 8, 2)) == 1);
    CHECK(one.arrivals.find(2, 7, 16, 2) == Arrivals::none);
}
