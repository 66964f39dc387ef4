// Entering a start again and again where it ends its cases itself, on real ranks.
#include "check.hpp"
#include "procsync/procsync.hpp"
#include "skewed_world.hpp"
#include "study/exit_attempts.hpp"
#include "study/exit_skew.hpp"

using namespace ictus;

namespace {

/// Ends each case after `length` starts, as round-time does when its slice is spent.
class ShortCases final : public ProcSync {
public:
    explicit ShortCases(std::uint64_t length) : length_(length) {}
    void prepare(double) override {
        done_ = 0;
        ++cases_;
    }
    SampleFlags start() override { return done_++ < length_ ? SampleFlags{0} : over_flag; }
    [[nodiscard]] std::uint64_t next_batch(std::uint64_t) override { return done_ < length_ ? 100 : 0; }
    [[nodiscard]] std::uint64_t cases() const { return cases_; }

private:
    std::uint64_t length_;
    std::uint64_t done_ = 0;
    std::uint64_t cases_ = 0;
};

/// How many of 20 attempts are made, after a warm-up of 5 that follows `prepare`.
std::uint64_t attempts_after_a_warm_up(ProcSync& start) {
    SkewedWorld world("skewed(base=monotonic,offset=0,drift=0)");
    GlobalClock global(world.transport());
    KnownClock known(world.clock());
    const ProcSyncContext start_context{world.transport(), global, true};
    const auto entry = procsync::registry().make(bind(procsync::family(), {"none", {}}), start_context);
    const Entrance entrance{world.transport(), global, known, *entry, 1e-6, 3600.0};
    start.prepare(entrance.latency_s);
    (void)attempt_exits(entrance, start, 5);
    const auto repetition = repetition::registry().make(bind(repetition::family(), parse_spec("fixed(nrep=20)")));
    return attempt_exits(entrance, start, *repetition).size();
}

} // namespace

TEST(cases_that_a_start_ends_are_strung_together) {
    for (const std::uint64_t length : {std::uint64_t{1}, std::uint64_t{5}, std::uint64_t{7}, std::uint64_t{100}}) {
        ShortCases start(length); // of 5: the warm-up ends with the case
        CHECK_EQ(std::uint64_t{20}, attempts_after_a_warm_up(start));
        CHECK(start.cases() >= 20 / length);
    }
}

TEST(a_start_that_never_begins_is_given_up_and_named) {
    ShortCases never(0);
    CHECK_EQ(std::uint64_t{0}, attempts_after_a_warm_up(never));
    ExitSkewPlan plan;
    plan.names = {"round-time", "never"};
    ExitSkewResult result;
    result.starts.resize(2);
    result.starts[0].attempted = result.starts[0].missed = 20; // Python tells of what was tried in vain
    result.starts[1].start = 1;
    const std::vector<std::string> told = remarks(plan, result);
    CHECK_EQ(std::size_t{1}, told.size());
    CHECK(told[0].find("start never") == 0);
}
