// The clocks themselves, on one rank's view.
#include "check.hpp"
#include "clock/tsc_frequency.hpp"
#include "clock/visit.hpp"

#include <ctime>
#include <sys/resource.h>
#include <utility>

using namespace ictus;

namespace {

std::unique_ptr<Clock> make(const std::string& text, int rank = 0, int host = 0) {
    return clock::registry().make(bind(clock::family(), parse_spec(text)), {.rank = rank, .host = host});
}

double elapsed_s(clockid_t id, const std::timespec& since) {
    std::timespec now{};
    clock_gettime(id, &now);
    return static_cast<double>(now.tv_sec - since.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - since.tv_nsec);
}

} // namespace

TEST(every_clock_counts_forward_from_about_zero) {
    for (const char* name : {"tsc", "monotonic", "wtime"}) {
        const auto clock = make(name);
        Ticks last = clock->now();
        CHECK(last.count >= 0 && clock->to_local(last).s < 1.0);
        for (int i = 0; i < 1000; ++i) {
            const Ticks now = clock->now();
            CHECK(now >= last);
            last = now;
        }
    }
}

TEST(every_clock_agrees_with_the_kernel_about_50_ms) {
    for (const char* name : {"tsc", "monotonic", "wtime", "skewed(base=monotonic,drift=0)"}) {
        const auto clock = make(name);
        std::timespec before{}; // who is kept from the core between two readings has not read wrongly
        std::timespec after{};
        clock_gettime(CLOCK_MONOTONIC_RAW, &before);
        const LocalTime begin = clock->to_local(clock->now());
        clock_gettime(CLOCK_MONOTONIC_RAW, &after);
        constexpr std::timespec pause{0, 50'000'000};
        nanosleep(&pause, nullptr);
        const double least = elapsed_s(CLOCK_MONOTONIC_RAW, after);
        const double own = clock->to_local(clock->now()) - begin;
        const double most = elapsed_s(CLOCK_MONOTONIC_RAW, before);
        CHECK(own > 0.99 * least && own < 1.01 * most);
    }
}

TEST(waiting_ends_at_the_first_reading_that_is_not_before) {
    for (const char* name : {"tsc", "monotonic", "wtime", "skewed"}) {
        const auto clock = make(name);
        const LocalTime until = clock->to_local(clock->now()) + 0.001;
        clock->wait_until(clock->to_ticks(until));
        CHECK(clock->to_local(clock->now()) >= until);
        clock->wait_until(clock->to_ticks(until)); // in the past: returns at once
    }
}

TEST(the_visit_reaches_the_concrete_clock_once) {
    for (const MemberInfo* member : clock::family().members) {
        const auto clock = make(std::string(member->name));
        int visits = 0;
        clock::visit(*clock, [&](auto& concrete) {
            ++visits;
            CHECK(static_cast<Clock*>(&concrete) == clock.get());
            const Ticks read = concrete.read();
            CHECK(read <= clock->now());
        });
        CHECK_EQ(1, visits);
    }
}

TEST(calibrations_agree_with_each_other) {
    const double first = calibrated_frequency(0.1).hz;
    const double second = calibrated_frequency(0.1).hz;
    CHECK_NEAR(1.0, second / first, 1e-4); // ppm on an idle machine; a stalled one may be worse
    const Frequency nominal = nominal_frequency();
    if (nominal.hz > 0.0) {
        CHECK_NEAR(1.0, nominal.hz / first, 1e-2);
    }
}

TEST(a_calibration_since_loading_sleeps_for_what_is_left) {
    const auto sleeps_of = [](double seconds) {
        rusage before{}, after{};
        getrusage(RUSAGE_THREAD, &before);
        const double hz = calibrated_since_loading(seconds).hz;
        getrusage(RUSAGE_THREAD, &after);
        return std::pair(hz, after.ru_nvcsw - before.ru_nvcsw);
    };
    const double whole = calibrated_frequency(0.05).hz; // so this program was loaded 50 ms ago or more
    const auto [rest, slept] = sleeps_of(0.05);
    CHECK_EQ(0, slept);
    CHECK_NEAR(1.0, rest / whole, 1e-4);
    double longer = 0.1;
    while (longer < 1000 && sleeps_of(longer).second == 0) { // until it is longer than has passed
        longer *= 1.5;
    }
    CHECK(longer < 1000);
}

TEST(a_rating_is_called_nominal_whoever_states_it) {
    const Frequency processor = rated_frequency({2, 216, 24'000'000, 2'400'000});
    CHECK_NEAR(2.592e9, processor.hz, 0.0);
    CHECK_EQ(std::string("nominal (processor, cpuid 15h)"), processor.source);
    const Frequency hypervisor = rated_frequency({2, 216, 0, 2'400'000}); // a ratio to a crystal of unknown frequency
    CHECK_NEAR(2.4e9, hypervisor.hz, 0.0);
    CHECK_EQ(std::string("nominal (hypervisor, cpuid 40000010h)"), hypervisor.source);
    CHECK_EQ(0.0, rated_frequency({}).hz);
    CHECK_EQ(0u, static_cast<unsigned>(calibrated_frequency(0.01).source.find("calibrated")));
    const Frequency stated = nominal_frequency();
    CHECK(stated.hz == 0.0 || stated.source.rfind("nominal (", 0) == 0);
}

TEST(a_given_frequency_is_taken_and_a_senseless_one_refused) {
    CHECK_EQ(2e9, make("tsc(frequency=2e9)")->frequency_hz());
    CHECK_THROWS(bind(clock::family(), parse_spec("tsc(frequency=0)")), "below the least value 1");
    CHECK_THROWS(bind(clock::family(), parse_spec("tsc(frequency=calibrate)")),
                 "'calibrate' is not a number, nor one of auto nominal calibrated calibrated-per-rank");
}

TEST(the_least_count_of_a_sleep_errs_upwards) {
    const double counted = calibrated_frequency(0.2).hz;
    CHECK(netgauge_frequency(0.01).hz > counted); // a sleep of 10 ms is longer by 5 us at least: 500 ppm
}

TEST(skews_differ_by_rank_or_by_host_and_repeat_by_seed) {
    const auto at = [](const std::string& text, int rank, int host) {
        const auto clock = make(text, rank, host);
        auto& skewed = dynamic_cast<SkewedClock&>(*clock);
        return skewed.at(skewed.base().epoch()).s;
    };
    const std::string by_rank = "skewed(base=monotonic,offset=1s)";
    const std::string by_host = "skewed(base=monotonic,offset=1s,scope=host)";
    CHECK(at(by_rank, 0, 0) != at(by_rank, 1, 0));
    CHECK_EQ(at(by_rank, 1, 0), at(by_rank, 1, 7));
    CHECK_EQ(at(by_host, 0, 3), at(by_host, 1, 3));
    CHECK(at(by_host, 0, 3) != at(by_host, 0, 4));
    CHECK(at(by_rank, 1, 0) != at("skewed(base=monotonic,offset=1s,seed=2)", 1, 0));
    CHECK_THROWS(make("skewed(base=skewed)"), "cannot be skewed again");
}
