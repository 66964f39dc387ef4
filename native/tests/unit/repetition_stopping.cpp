// Where each stopping rule ends on sequences whose metrics are derived by hand.
#include "check.hpp"
#include "workload/repetition.hpp"

using namespace ictus;

namespace {

std::unique_ptr<Repetition> make(const std::string& text) {
    return repetition::registry().make(bind(repetition::family(), parse_spec(text)));
}

struct Ended {
    std::uint64_t attempted;
    std::uint64_t valid;
    int batches;
};

/// Measures by the rule: sample k (from 0) takes `latency(k)` seconds; every `invalid_each`-th attempt is not valid.
template <class Latency>
Ended measure(const std::string& text, Latency latency, std::uint64_t invalid_each = 0) {
    const auto rule = make(text);
    Ended ended{0, 0, 0};
    double elapsed_s = 0.0;
    while (const std::uint64_t more = rule->next_batch({ended.attempted, ended.valid, elapsed_s})) {
        std::vector<double> batch;
        for (std::uint64_t i = 0; i < more; ++i) {
            const bool is_valid = invalid_each == 0 || ++ended.attempted % invalid_each != 0;
            ended.attempted += invalid_each == 0 ? 1 : 0;
            const double latency_s = latency(ended.valid);
            elapsed_s += latency_s;
            if (is_valid) {
                batch.push_back(latency_s);
                ++ended.valid;
            }
        }
        rule->take(batch);
        ++ended.batches;
    }
    return ended;
}

/// 0.9, 1.1, 0.9, ... microseconds.
double alternating(std::uint64_t k) { return k % 2 == 0 ? 0.9e-6 : 1.1e-6; }
double constant(std::uint64_t) { return 1e-6; }

} // namespace

// Of n = 2m alternating values the mean is 1 and the standard deviation 0.1 sqrt(n/(n-1)), so that the relative
// standard error is 0.1/sqrt(n-1): at most 0.02 from n - 1 >= 25, so n = 26. Looks are at 8, 16, 24, 32.
TEST(rse_ends_at_the_first_look_under_its_threshold) {
    CHECK_EQ(std::uint64_t{32}, measure("rse(min=8,max=1000,threshold=0.02)", alternating).valid);
    CHECK_EQ(4, measure("rse(min=8,max=1000,threshold=0.02)", alternating).batches);
    CHECK_EQ(std::uint64_t{26}, measure("rse(min=8,max=1000,threshold=0.0200001,step=2)", alternating).valid);
    CHECK_EQ(std::uint64_t{28}, measure("rse(min=8,max=1000,threshold=0.0199999,step=2)", alternating).valid);
}

TEST(rse_ends_at_max_in_any_case_and_looks_there_too) {
    CHECK_EQ(std::uint64_t{20}, measure("rse(min=8,max=20,threshold=0.001)", alternating).valid);
    CHECK_EQ(std::uint64_t{8}, measure("rse(min=8,max=20,threshold=0)", constant).valid);
}

// The interval's half width is t(0.975, n-1) 0.1/sqrt(n-1): n = 18: 2.1098 * 0.1/sqrt(17) = 0.05117;
// n = 20: 2.0930 * 0.1/sqrt(19) = 0.04802. One-sided, as MPIBlib has it, n = 14 would do: 1.7709 * 0.1/sqrt(13) =
// 0.0491.
TEST(interval_ends_where_students_two_sided_interval_is_narrow) {
    CHECK_EQ(std::uint64_t{20}, measure("interval(width=0.05,level=0.95,min=2,step=2)", alternating).valid);
    CHECK_EQ(std::uint64_t{14}, measure("interval(width=0.05,level=0.9,min=2,step=2)", alternating).valid);
    CHECK_EQ(std::uint64_t{30}, measure("interval", alternating).valid); // its min
}

// Inside Tukey's fences are all of an alternating sequence: the rse is as above, 0.1/sqrt(n-1) <= 0.025 from n = 17 on;
// looks are at 20, 30, ...
TEST(nrep_ends_when_all_chosen_metrics_are_small) {
    CHECK_EQ(std::uint64_t{20}, measure("nrep(rse=0.025,cov_mean=off)", alternating).valid);
    CHECK_EQ(std::uint64_t{30}, measure("nrep(rse=0.02,cov_mean=off)", alternating).valid);
    // Prefix medians are 1 after an even number of values and 0.9 after an odd one. Of twenty, half are each: their
    // mean is 0.95, their standard deviation 0.05 sqrt(20/19), so that the coefficient of variation is 0.0540 for ever.
    CHECK_EQ(std::uint64_t{100}, measure("nrep(max=100,rse=off,cov_mean=off,cov_median=0.0539)", alternating).valid);
    CHECK_EQ(std::uint64_t{20}, measure("nrep(max=100,rse=off,cov_mean=off,cov_median=0.0541)", alternating).valid);
}

TEST(nrep_waits_until_its_window_is_full) {
    CHECK_EQ(std::uint64_t{20}, measure("nrep(min=20,rse=off,cov_mean=0.01)", constant).valid);
    CHECK_EQ(std::uint64_t{50}, measure("nrep(min=20,rse=off,cov_mean=0.01,mean_window=41)", constant).valid);
}

// One sample in ten is 100 times as long: outside the fences, it does not count for rse; the means do not settle.
TEST(nrep_leaves_outliers_out_of_rse_only) {
    const auto spiked = [](std::uint64_t k) { return k % 10 == 9 ? 1e-4 : alternating(k); };
    CHECK_EQ(std::uint64_t{20}, measure("nrep(rse=0.03,cov_mean=off)", spiked).valid);
    CHECK_EQ(std::uint64_t{200}, measure("nrep(rse=off,max=200)", spiked).valid);
}

TEST(only_valid_samples_are_counted_and_attempts_are_bounded) {
    const Ended topped = measure("nrep(rse=0.025,cov_mean=off)", alternating, 4);
    CHECK_EQ(std::uint64_t{20}, topped.valid);
    CHECK_EQ(std::uint64_t{26}, topped.attempted);
    CHECK_EQ(std::uint64_t{60}, measure("nrep(max=20)", constant, 1).attempted);
    CHECK_EQ(std::uint64_t{0}, measure("rse(max=20,max_attempts=25)", constant, 1).valid);
}

// 1 us a sample, 1 ms: ten at first, then twice as many in all with every batch, the last one what is left of 1,000.
TEST(time_fills_its_slice) {
    const Ended ended = measure("time(slice=1ms)", constant);
    CHECK(ended.valid >= 999 && ended.valid <= 1000);
    CHECK_EQ(std::uint64_t{10}, measure("time(slice=2us)", constant).valid);
    CHECK_EQ(std::uint64_t{50}, measure("time(slice=1ms,max=50)", constant).valid);
    CHECK_EQ(std::uint64_t{30}, measure("time(slice=1us)", constant, 1).attempted);
}

TEST(a_latency_that_is_not_positive_has_no_relative_error) {
    CHECK_EQ(std::uint64_t{24}, measure("rse(max=24)", [](std::uint64_t) { return 0.0; }).valid);
}

TEST(contradictions_are_refused_by_name) {
    CHECK_THROWS(make("rse(min=30,max=20)"), "'max': 20 is below min, 30");
    CHECK_THROWS(make("nrep(max=100,max_attempts=50)"), "'max_attempts': 50 is below max, 100");
    CHECK_THROWS(make("nrep(rse=off,cov_mean=off)"), "all off");
    CHECK_THROWS(make("nrep(rse=2)"), "above the greatest value 1");
    CHECK_THROWS(make("time(min=20,max=10)"), "10 is below min, 20");
}
