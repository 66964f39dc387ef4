// What each offset estimator makes of given exchanges, worked out by hand.
#include "base/error.hpp"
#include "base/parameter.hpp"
#include "check.hpp"
#include "offset/intersection.hpp"

#include <cstring>
#include <deque>

using namespace ictus;
using offset::PingPongKind;
using offset::PingPongMessage;
using offset::RoundTrip;

namespace {

/// A client's transport whose reference answers as written.
class ScriptedTransport final : public Transport {
public:
    explicit ScriptedTransport(std::deque<RoundTrip> script) : script_(std::move(script)) {}

    [[nodiscard]] int rank() const override { return 1; }
    [[nodiscard]] int size() const override { return 2; }
    [[nodiscard]] std::span<const RankLocation> locations() const override { return locations_; }
    [[nodiscard]] std::uint64_t messages_sent() const override { return sent.size(); }
    void send(int, std::span<const std::byte> message) override {
        sent.push_back(PingPongKind::ping);
        std::memcpy(&sent.back(), message.data(), sizeof(PingPongKind));
    }
    void receive(int, std::span<std::byte> message) override {
        const PingPongMessage pong{answer, script_.front().heard, script_.front().answered};
        std::memcpy(message.data(), &pong, message.size());
        received_ = true;
    }
    [[nodiscard]] LocalTime now() override {
        if (script_.empty()) {
            throw measurement_error("the script is over");
        }
        const RoundTrip next = script_.front();
        if (!received_) {
            return next.sent;
        }
        received_ = false;
        script_.pop_front();
        return next.received;
    }
    void exchange(int, std::span<const std::byte>, int, std::span<std::byte>) override {}
    void wait_until(LocalTime) override {}
    void library_barrier() override {}

    [[nodiscard]] bool ended() const { return script_.empty(); }

    std::vector<PingPongKind> sent;
    PingPongKind answer = PingPongKind::pong;

private:
    std::deque<RoundTrip> script_;
    std::vector<RankLocation> locations_{2};
    bool received_ = false;
};

/// An exchange at time `sent` whose ways took `out` and `back`, of clocks that agree; the reference took 0.25.
RoundTrip exchange(double sent, double out, double back) {
    const double heard = sent + out;
    return {LocalTime(sent), ReferenceTime(heard), ReferenceTime(heard + 0.25), LocalTime(heard + 0.25 + back)};
}

OffsetSample measured(const std::string& spec, ScriptedTransport& transport) {
    const auto estimator = offset::registry().make(bind(offset::family(), parse_spec(spec)));
    return estimator->measure(transport, {0, Role::client});
}

OffsetSample measured(const std::string& spec, const std::deque<RoundTrip>& script) {
    ScriptedTransport transport(script);
    const OffsetSample sample = measured(spec, transport);
    CHECK(transport.ended());
    return sample;
}

void check_sample(const OffsetSample& expected, const OffsetSample& found) {
    CHECK_NEAR(expected.at.s, found.at.s, 1e-12);
    CHECK_NEAR(expected.offset.s, found.offset.s, 1e-12);
    CHECK_NEAR(expected.bound, found.bound, 1e-12);
    CHECK_NEAR(expected.min_round_trip, found.min_round_trip, 1e-12);
}

// Offsets lie in [-out, back]: -5..1, -2..4, -3..2.5, -4..9: together -2..1. Round trips 6, 6, 5.5, 13.
const std::deque<RoundTrip> four{exchange(0, 5, 1), exchange(10, 2, 4), exchange(20, 3, 2.5), exchange(30, 4, 9)};

} // namespace

TEST(an_exchange_proves_what_its_messages_order) {
    // Sent at 10 and heard at 7: at least 3. Answered at 8 and received at 14: at most 6. The 1 in between is nobody's.
    const RoundTrip one{LocalTime(10), ReferenceTime(7), ReferenceTime(8), LocalTime(14)};
    CHECK_EQ(3.0, one.lower().s);
    CHECK_EQ(6.0, one.upper().s);
    CHECK_EQ(3.0, one.duration());
    CHECK_EQ(4.5, one.middle().s);
    CHECK_EQ(12.0, one.at().s);
}

TEST(the_books_of_the_client_hold_both_sides) {
    // The paper's rule at the reference: its stamps answered(k) and heard(k+1) around the client's stamp sent(k+1).
    offset::Intersection client;
    ClockOffset lower{-1e9};
    ClockOffset upper{1e9};
    for (std::size_t k = 0; k < four.size(); ++k) {
        client.add(four[k]);
        lower = std::max(lower, four[k].sent - four[k].heard);
        upper = std::min(upper, four[k].received - four[k].answered);
        if (k > 0) {
            lower = std::max(lower, four[k].sent - four[k].heard);
            upper = std::min(upper, four[k].sent - four[k - 1].answered);
        }
    }
    CHECK(midpoint(lower, upper) == client.middle());
    CHECK_EQ((upper - lower) / 2, client.bound(client.middle()));
}

TEST(skampi_takes_the_middle_of_what_all_prove) {
    // -2 was seen at 10 (sent), 1 at 6.25 (received).
    check_sample({LocalTime(8.125), ClockOffset(-0.5), 1.5, 5.5}, measured("skampi(exchanges=4)", four));
}

TEST(the_quickest_exchange_counts_and_the_bound_reaches_to_the_farther_end) {
    // The third: -0.25 at (20 + 25.75) / 2; the ends are 1.75 and 1.25 away.
    check_sample({LocalTime(22.875), ClockOffset(-0.25), 1.75, 5.5}, measured("cristian(exchanges=4)", four));
    check_sample({LocalTime(22.875), ClockOffset(-0.25), 1.75, 5.5}, measured("min-rtt(max=4)", four));
}

TEST(an_estimate_outside_the_interval_has_a_bound_as_well) {
    // Quickest: -0.25..5 (its middle 2.375). The other proves -9..1: together -0.25..1, so 2.375 may be off by 2.625.
    const std::deque<RoundTrip> two{exchange(0, 0.25, 5), exchange(10, 9, 1)};
    check_sample({LocalTime(2.75), ClockOffset(2.375), 2.625, 5.25}, measured("cristian(exchanges=2)", two));
}

TEST(min_rtt_ends_when_its_patience_is_over) {
    // Round trips 4, 5, 4 (no gain: not quicker), 3, 3, 6: with a patience of 2 the third ends it.
    const std::deque<RoundTrip> script{exchange(0, 2, 2),  exchange(10, 2, 3), exchange(20, 1, 3),
                                       exchange(30, 2, 1), exchange(40, 1, 2), exchange(50, 3, 3)};
    ScriptedTransport brief(script);
    CHECK_EQ(0.0, measured("min-rtt(patience=2)", brief).offset.s);
    CHECK(brief.sent ==
          (std::vector<PingPongKind>{PingPongKind::ping, PingPongKind::ping, PingPongKind::ping, PingPongKind::done}));
    // With a patience of 3 the fourth comes in time, and the script has no third without gain after it.
    ScriptedTransport patient(script);
    CHECK_THROWS(measured("min-rtt(patience=3)", patient), "the script is over");
    check_sample({LocalTime(31.625), ClockOffset(-0.5), 1.5, 3}, measured("min-rtt(patience=3,max=6)", script));
}

TEST(quickest_quarter_is_a_mean_over_a_quarter_rounded_up) {
    // Of 5 the 2 quickest: round trips 4 (0.5 at 22.125) and 5 (-1.5 at 2.625). Together -1.5..1 is proven, as -1.5 is
    // the third's lower end and 1 the first's upper.
    const std::deque<RoundTrip> five{exchange(0, 4, 1), exchange(10, 4, 4), exchange(20, 1.5, 2.5), exchange(30, 6, 9),
                                     exchange(40, 3, 7)};
    check_sample({LocalTime(12.375), ClockOffset(-0.5), 1.5, 4}, measured("quickest-quarter(exchanges=5)", five));
    check_sample({LocalTime(2.625), ClockOffset(-1.5), 2.5, 5},
                 measured("quickest-quarter(exchanges=1)", {five.front()}));
}

TEST(mean_rtt_filters_the_round_trips_and_keeps_times_with_offsets) {
    // Ten warm-ups do not count, however long. Round trips 4, 5, 6, 7, 40: quartiles (type 7) 5 and 7, fences 2 and 10:
    // mean 5.5, one way 2.75.
    std::deque<RoundTrip> script(10, exchange(0, 50, 50));
    for (const double back : {2.0, 3.0, 4.0, 5.0, 38.0}) {
        script.push_back(exchange(100, 2, back));
    }
    // Upper ends 4, 1, 9, 3 received at 1002 + 0.25 + back, ...: offsets 1.25, -1.75, 6.25, 0.25; of 4 the lower median
    // is the second least, 0.25. Proven: -2..1; the bound is to -2.
    const std::deque<RoundTrip> measuring{exchange(1000, 2, 4), exchange(2000, 2, 1), exchange(3000, 3, 9),
                                          exchange(4000, 4, 3)};
    script.insert(script.end(), measuring.begin(), measuring.end());
    check_sample({LocalTime(4007.25), ClockOffset(0.25), 2.25, 3},
                 measured("mean-rtt(exchanges=4,rtt_exchanges=5)", script));
}

TEST(the_last_ping_says_so) {
    ScriptedTransport transport(four);
    (void)measured("skampi(exchanges=4)", transport);
    CHECK(transport.sent == (std::vector<PingPongKind>{PingPongKind::ping, PingPongKind::ping, PingPongKind::ping,
                                                       PingPongKind::last_ping}));
}

TEST(an_answer_of_the_wrong_kind_is_refused) {
    ScriptedTransport transport(four);
    transport.answer = PingPongKind::done;
    CHECK_THROWS(measured("skampi", transport), "rank 1 got a message of the wrong kind from rank 0");
}
