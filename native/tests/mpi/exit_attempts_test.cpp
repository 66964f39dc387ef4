// Entering a start again and again where it ends its cases itself, on real ranks.
#include "check.hpp"
#include "procsync/procsync.hpp"
#include "skewed_world.hpp"
#include "study/exit_attempts.hpp"

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
    CHECK(AttemptCounts({}).remark("never").value_or("").find("start never: ") == 0);
}

TEST(attempts_are_late_or_missed_or_valid) {
    const std::vector<ExitAttempt> attempts = {
        {1, 2, 0, 0}, {1, 2, late_flag, 0}, {1, 2, 0, late_flag}, {1, 2, late_flag, late_flag}, {1, 2, 0, 0}};
    const AttemptCounts counts(attempts);
    CHECK_EQ(std::uint64_t{5}, counts.attempted);
    CHECK_EQ(std::uint64_t{2}, counts.late_entry);
    CHECK_EQ(std::uint64_t{1}, counts.missed);
    CHECK_EQ(std::uint64_t{2}, counts.valid);
    const AttemptCounts in_vain(std::vector{attempts[2]});
    CHECK(!in_vain.remark("missed").has_value()); // Python tells of what was tried in vain
}
