// What may be done with times, and what does not compile because it would mix two clocks. Each refusal has a twin that
// compiles, so that a misspelt expression does not pass for a refusal.
#include "base/time.hpp"
#include "check.hpp"
#include "clockmath/clock_history.hpp"
#include "offset/intersection.hpp"
#include "study/ping_pong_check.hpp"
#include "transport/global_clock.hpp"

#include <type_traits>

using namespace ictus;

namespace {

template <class A, class B>
concept Subtracts = requires(A a, B b) { a - b; };
template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };
template <class A, class B>
concept Compares = requires(A a, B b) { a < b; };
template <class A, class B>
concept HasMidpoint = requires(A a, B b) { midpoint(a, b); };

template <class Time>
concept ModelsAsLocal = requires(ClockModel model, Time time) { model.to_reference(time); };
template <class Time>
concept ModelsAsDistant = requires(ClockModel model, Time time) { model.to_local(time); };
template <class Time>
concept BoundsAt = requires(ErrorBound bound, Time time) { bound(time); };
template <class Time, class Value>
concept SamplesOffset = requires(offset::Intersection proven, Time at, Value value) { proven.sample(at, value); };
template <class Time>
concept HistoryTakes = requires(ClockHistory history, Time time) { history.to_global(time); };
template <class Time>
concept WaitsGlobally = requires(GlobalClock clock, Time time) { clock.wait_until(time); };
template <class AnyTransport>
concept TellsTime = requires(AnyTransport& transport) { transport.now(); };

template <class Time>
concept SentAt = requires(Time time) { offset::RoundTrip{.sent = time, .heard = {}, .answered = {}, .received = {}}; };
template <class Time>
concept HeardAt = requires(Time time) { offset::RoundTrip{.sent = {}, .heard = time, .answered = {}, .received = {}}; };
template <class Time>
concept BoundFrom = requires(Time time) { ErrorBound{.at = time}; };
template <class Time, class Value>
concept SampleOf = requires(Time at, Value value) { OffsetSample{.at = at, .offset = value}; };
template <class Time>
concept CheckedAtRoot =
    requires(Time time) { CheckedError{.error_s = 0.0, .half_width_s = 0.0, .root_time = time, .local_time = {}}; };

} // namespace

TEST(a_number_is_no_time_and_no_offset_until_it_is_called_one) {
    CHECK((std::is_constructible_v<LocalTime, double>));
    CHECK(!(std::is_convertible_v<double, LocalTime>));
    CHECK((std::is_constructible_v<ClockOffset, double>));
    CHECK(!(std::is_convertible_v<double, ClockOffset>));
    CHECK(!(std::is_convertible_v<LocalTime, double>));
    CHECK(!(std::is_convertible_v<ClockOffset, double>));
    CHECK(!(std::is_constructible_v<GlobalTime, LocalTime>));
    CHECK(!(std::is_constructible_v<ReferenceTime, LocalTime>));
    CHECK(!(std::is_assignable_v<LocalTime&, ReferenceTime>));
    CHECK((std::is_assignable_v<LocalTime&, LocalTime>));
}

TEST(times_cost_what_a_double_costs) {
    CHECK_EQ(sizeof(double), sizeof(LocalTime));
    CHECK_EQ(sizeof(double), sizeof(ClockOffset));
    CHECK((std::is_trivially_copyable_v<LocalTime> && std::is_trivially_copyable_v<ClockOffset>));
    CHECK_EQ(4 * sizeof(double), sizeof(offset::RoundTrip));
    CHECK_EQ(3 * sizeof(double), sizeof(offset::PingPongMessage)); // what travels
}

TEST(instants_of_one_clock_are_a_duration_apart_and_those_of_two_clocks_are_not) {
    CHECK((std::is_same_v<double, decltype(LocalTime{} - LocalTime{})>));
    CHECK((std::is_same_v<double, decltype(GlobalTime{} - GlobalTime{})>));
    CHECK((std::is_same_v<double, decltype(ReferenceTime{} - ReferenceTime{})>));
    CHECK(!(Subtracts<LocalTime, GlobalTime>));
    CHECK(!(Subtracts<GlobalTime, LocalTime>));
    CHECK(!(Subtracts<GlobalTime, ReferenceTime>));
    CHECK(!(Adds<LocalTime, LocalTime>));
    CHECK((Adds<LocalTime, double>));
    CHECK((Compares<GlobalTime, GlobalTime>));
    CHECK(!(Compares<GlobalTime, LocalTime>));
    CHECK(!(Compares<LocalTime, double>));
    CHECK((HasMidpoint<LocalTime, LocalTime>));
    CHECK(!(HasMidpoint<LocalTime, ReferenceTime>));
    CHECK(!(Subtracts<Ticks, LocalTime>));
    CHECK((Subtracts<Ticks, Ticks>));
}

TEST(own_time_minus_the_references_is_an_offset_and_own_time_minus_the_offset_is_the_references) {
    CHECK((std::is_same_v<ClockOffset, decltype(LocalTime{} - ReferenceTime{})>));
    CHECK(!(Subtracts<ReferenceTime, LocalTime>)); // that would be its negative
    CHECK((std::is_same_v<ReferenceTime, decltype(LocalTime{} - ClockOffset{})>));
    CHECK(!(Subtracts<ReferenceTime, ClockOffset>));
    CHECK(!(Adds<LocalTime, ClockOffset>));
    CHECK(!(Subtracts<GlobalTime, ClockOffset>));
    CHECK((std::is_same_v<double, decltype(ClockOffset{} - ClockOffset{})>));
    CHECK(!(Adds<ClockOffset, ClockOffset>));
    CHECK(!(Compares<ClockOffset, double>));
    CHECK_EQ(3.0, (LocalTime(10.0) - ReferenceTime(7.0)).s);
    CHECK(LocalTime(10.0) - ClockOffset(3.0) == ReferenceTime(7.0));
}

TEST(only_own_time_is_put_through_a_model_and_only_the_others_back) {
    CHECK((ModelsAsLocal<LocalTime>));
    CHECK(!(ModelsAsLocal<ReferenceTime>));
    CHECK(!(ModelsAsLocal<GlobalTime>));
    CHECK(!(ModelsAsLocal<double>));
    CHECK((ModelsAsDistant<ReferenceTime> && ModelsAsDistant<GlobalTime>));
    CHECK(!(ModelsAsDistant<LocalTime>));
    CHECK(!(ModelsAsDistant<double>));
    CHECK((HistoryTakes<LocalTime>));
    CHECK(!(HistoryTakes<GlobalTime>));
    CHECK((WaitsGlobally<GlobalTime>));
    CHECK(!(WaitsGlobally<LocalTime>));
}

TEST(a_round_trip_a_sample_and_a_bound_take_each_clocks_times_where_they_belong) {
    CHECK((SentAt<LocalTime> && HeardAt<ReferenceTime>));
    CHECK(!(SentAt<ReferenceTime>));
    CHECK(!(HeardAt<LocalTime>));
    CHECK(!(SentAt<double>));
    CHECK((SampleOf<LocalTime, ClockOffset>));
    CHECK(!(SampleOf<ReferenceTime, ClockOffset>));
    CHECK(!(SampleOf<LocalTime, double>));
    CHECK((SamplesOffset<LocalTime, ClockOffset>));
    CHECK(!(SamplesOffset<ClockOffset, LocalTime>)); // once two doubles: exchanged by accident, they compiled
    CHECK((BoundFrom<LocalTime> && BoundsAt<LocalTime>));
    CHECK(!(BoundFrom<GlobalTime>));
    CHECK(!(BoundsAt<GlobalTime>));
    CHECK(!(BoundsAt<double>));
    CHECK((CheckedAtRoot<ReferenceTime>));
    CHECK(!(CheckedAtRoot<LocalTime>));
}

TEST(a_modelled_transport_tells_its_time_only_to_those_who_know_no_other) {
    CHECK((TellsTime<Transport>));
    CHECK(!(TellsTime<ModelledTransport>)); // the base's time and this one would have the same type
}
