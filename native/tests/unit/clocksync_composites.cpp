// Algorithms made of others: what they cannot be made of is refused when they are made, before anybody measures.
#include "check.hpp"
#include "clocksync/clocksync.hpp"

using namespace ictus;

namespace {

std::unique_ptr<ClockSync> made(const char* spec) {
    return clocksync::registry().make(bind(clocksync::family(), parse_spec(spec)));
}

} // namespace

TEST(a_level_needs_a_global_time_of_its_own) {
    CHECK_THROWS(made("hierarchical(none)"), "'none' would leave its ranks without a global time");
    for (const char* text : {"hierarchical(extrapolate(hca3))", "hierarchical(hca3,extrapolate(hca3))",
                             "hierarchical(hca3,hca3,extrapolate(hca3))"}) {
        CHECK_THROWS(made(text), "use extrapolate(hierarchical(...))");
    }
    CHECK(made("hierarchical(hca3,hca3,none)")->interpolates());
}

TEST(what_is_extrapolated_has_a_global_time) {
    CHECK_THROWS(made("extrapolate(none)"), "'none' has no global time to extrapolate");
    CHECK(made("extrapolate(hierarchical(hca3,hca3))")->synchronises());
    CHECK(!made("extrapolate(skampi)")->interpolates());
}
