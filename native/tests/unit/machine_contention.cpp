// What was counted between two snapshots: shares, the verdict on contention, and the counts of ranks and hosts.
#include "check.hpp"
#include "machine/counters.hpp"
#include "machine/factors.hpp"
#include "record/json.hpp"

#include <cmath>
#include <limits>

using namespace ictus::machine;

namespace {

constexpr double absent = std::numeric_limits<double>::quiet_NaN();
using Shares = std::vector<double>;

/// Two CPUs from `begin` to `end`: steal in ticks of 10 ms, delay in seconds, over `elapsed_s`.
struct Span {
    Snapshot begin;
    Snapshot end;
    Span(double elapsed_s, double delay_s, std::vector<std::int64_t> steal_ticks) {
        begin.monotonic_s = 100.0;
        end.monotonic_s = 100.0 + elapsed_s;
        begin.scheduler = SchedulerCounters{1.0, 0.5};
        end.scheduler = SchedulerCounters{1.0 + elapsed_s - delay_s, 0.5 + delay_s};
        end.cpus_allowed.emplace();
        for (int cpu = 0; cpu < static_cast<int>(steal_ticks.size()); ++cpu) {
            begin.cpus.push_back({cpu, 50, 7});
            end.cpus.push_back({cpu, 50 + 20 * (cpu + 1), 7 + steal_ticks[static_cast<std::size_t>(cpu)]});
            end.cpus_allowed->push_back(cpu);
        }
    }
};

} // namespace

TEST(shares_are_of_the_elapsed_time) {
    const Span span(2.0, 0.1, {0, 21});
    CHECK_NEAR(0.05, run_queue_share(span.begin, span.end), 1e-12);
    CHECK_NEAR(20 * 0.01 / 2.0, steal_share(span.begin, span.end), 1e-12); // 21 ticks counted, 20 certain
}

TEST(steal_counts_on_our_own_cpus_only) {
    Span span(2.0, 0.0, {0, 21});
    span.end.cpus_allowed = std::vector<int>{0};
    CHECK_EQ(0.0, steal_share(span.begin, span.end));
    span.end.cpus_allowed = std::vector<int>{5};
    CHECK(std::isnan(steal_share(span.begin, span.end)));
}

TEST(one_tick_in_a_short_launch_is_rounding) {
    const Span span(0.1, 0.0, {1});
    CHECK_EQ(0.0, steal_share(span.begin, span.end));
}

TEST(shares_without_counters_or_time_are_unknown) {
    Span span(1.0, 0.1, {5});
    span.begin.scheduler.reset();
    span.end.cpus_allowed.reset();
    CHECK(std::isnan(run_queue_share(span.begin, span.end)));
    CHECK(std::isnan(steal_share(span.begin, span.end)));
    const Span instant(0.0, 0.0, {5});
    CHECK(std::isnan(run_queue_share(instant.begin, instant.end)));
    CHECK(std::isnan(steal_share(instant.begin, instant.end)));
}

TEST(one_rank_that_waited_makes_the_launch_contended) {
    const Contention verdict = contention_verdict(Shares{0.001, absent, 0.04}, Shares{0.0, 0.01, absent}, false);
    CHECK_EQ(0.04, verdict.run_queue_share);
    CHECK_EQ(0.01, verdict.steal_share);
    CHECK_EQ(0.04, verdict.share);
    CHECK(verdict.contended.value());
}

TEST(steal_alone_makes_the_launch_contended) {
    CHECK(contention_verdict(Shares{0.0}, Shares{0.031}, false).contended.value());
    CHECK(contention_verdict(Shares{absent}, Shares{0.031}, false).contended.value());
}

TEST(share_at_the_threshold_is_not_contended) {
    const Contention verdict = contention_verdict(Shares{contention_threshold}, Shares{0.0}, false);
    CHECK(!verdict.contended.value());
}

TEST(oversubscribed_launch_is_never_contended) {
    const Contention verdict = contention_verdict(Shares{0.5, 0.5}, Shares{0.0, 0.0}, true);
    CHECK(verdict.oversubscribed && !verdict.contended.value());
    CHECK_EQ(0.5, verdict.share);
}

TEST(contention_that_nobody_could_read_is_unknown) {
    const Contention verdict = contention_verdict(Shares{absent, absent}, Shares{absent, absent}, false);
    CHECK(!verdict.contended.has_value());
    CHECK(std::isnan(verdict.share));
}

TEST(rank_factors_are_differences_between_snapshots) {
    Span span(2.0, 0.5, {0, 3});
    span.begin.resources = ResourceCounters{1000, 10, 20, 300};
    span.end.resources = ResourceCounters{4096, 11, 25, 307};
    span.end.cpu = 1;
    span.end.pid = 77;
    RankFactors factors = rank_factors(1, "n1", span.begin, span.end);
    factors.keeps_freed_memory = true;
    factors.epoch_ticks = (std::int64_t{1} << 53) + 1; // an integer that no double holds
    const RankFactors both[] = {rank_factors(0, "n0", Snapshot{}, Snapshot{}), rank_from_message(to_message(factors))};
    ictus::record::JsonWriter json;
    json.begin_object();
    write_columns(json, both);
    json.end_object();
    CHECK_EQ(std::string(R"({
  "rank": [0, 1],
  "host": ["n0", "n1"],
  "node": ["n0", "n1"],
  "pid": [0, 77],
  "epoch_ticks": [null, 9007199254740993],
  "cpu": [null, 1],
  "cpus_allowed": ["unknown", "0-1"],
  "cpu_time_s": [null, 1.5],
  "run_queue_delay_s": [null, 0.5],
  "elapsed_s": [0, 2],
  "max_rss_bytes": [null, 4096],
  "voluntary_switches": [null, 1],
  "involuntary_switches": [null, 5],
  "page_faults": [null, 7],
  "keeps_freed_memory": [null, true]
})"),
             json.take());
}

TEST(a_node_is_what_the_batch_system_calls_one) {
    unsetenv("PALS_NODEID");
    unsetenv("SLURMD_NODENAME");
    CHECK_EQ(std::string("n1"), node_name("n1"));
    setenv("PALS_NODEID", "4", 1);
    CHECK_EQ(std::string("4"), node_name("n1"));
    setenv("SLURMD_NODENAME", "t7", 1);
    CHECK_EQ(std::string("t7"), node_name("n1"));
    CHECK_EQ(std::string("t7"), rank_factors(0, "n1", Snapshot{}, Snapshot{}).node);
    CHECK_EQ(std::string("n1"), rank_factors(0, "n1", Snapshot{}, Snapshot{}).host);
    unsetenv("PALS_NODEID");
    unsetenv("SLURMD_NODENAME");
}

TEST(host_counts_all_its_cpus) {
    const Span span(2.0, 0.0, {4, 6});
    HostFactors factors;
    add_counted(factors, span.begin, span.end);
    CHECK_NEAR(0.10, factors.steal_s.value(), 1e-12); // 4 + 6 ticks
    CHECK_NEAR(0.60, factors.busy_s.value(), 1e-12);  // 20 + 40 ticks
    HostFactors blind;
    add_counted(blind, Snapshot{}, span.end);
    CHECK(!blind.steal_s && !blind.busy_s);
}
