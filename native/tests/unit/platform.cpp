// What a message of a simulated platform takes.
#include "platform/platform.hpp"
#include "check.hpp"

#include <algorithm>
#include <vector>

using namespace ictus;
using platform::Description;
using platform::Latency;

namespace {

constexpr double route_s = 1e-6;

Description quiet() {
    Description description;
    description.n_hosts = 4;
    description.jitter = 0.0;
    description.tail_share = 0.0;
    return description;
}

std::vector<double> draws(const Description& description, std::size_t from, int n) {
    Latency latency(description);
    std::vector<double> factors;
    for (int i = 0; i < n; ++i) {
        factors.push_back(latency.factor(from, 0, route_s));
    }
    return factors;
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

} // namespace

TEST(without_jitter_every_message_takes_the_latency_of_its_route) {
    for (const double factor : draws(quiet(), 2, 100)) {
        CHECK_EQ(1.0, factor);
    }
}

TEST(jitter_is_exponential_and_never_shortens) {
    Description description = quiet();
    description.jitter = 0.3;
    std::vector<double> factors = draws(description, 0, 100'000);
    CHECK_NEAR(1.3, mean(factors), 0.005); // five standard errors: 0.3 / sqrt(1e5) = 0.001
    std::sort(factors.begin(), factors.end());
    CHECK(factors.front() >= 1.0);
    CHECK_NEAR(1.0 + 0.3 * 0.693147, factors[50'000], 0.01); // the median of an exponential is ln 2 of its mean
}

TEST(the_share_of_late_messages_and_how_late_are_as_described) {
    Description description = quiet();
    description.tail_share = 0.01;
    description.tail_factor = 20.0;
    const std::vector<double> factors = draws(description, 0, 100'000);
    const auto late = std::count(factors.begin(), factors.end(), 20.0);
    CHECK_NEAR(1000.0, static_cast<double>(late), 160.0); // five standard deviations of a binomial
    CHECK_EQ(100'000, late + std::count(factors.begin(), factors.end(), 1.0));
}

TEST(the_way_up_is_longer_from_odd_hosts_only_and_not_inside_a_host) {
    Description description = quiet();
    description.asymmetry_s = 2e-6;
    Latency latency(description);
    CHECK_NEAR(3e-6, latency.factor(1, 0, route_s) * route_s, 1e-15);
    CHECK_NEAR(1e-6, latency.factor(0, 1, route_s) * route_s, 1e-15);
    CHECK_NEAR(1e-6, latency.factor(2, 3, route_s) * route_s, 1e-15);
    CHECK_NEAR(1e-6, latency.factor(3, 3, route_s) * route_s, 1e-15);
}

TEST(draws_depend_on_seed_sender_and_count_alone) {
    Description description;
    description.n_hosts = 4;
    const std::vector<double> alone = draws(description, 1, 50);
    Latency latency(description);
    std::vector<double> among_others;
    for (int i = 0; i < 50; ++i) {
        (void)latency.factor(3, 1, route_s);
        among_others.push_back(latency.factor(1, 2, route_s));
    }
    CHECK(alone == among_others);
    description.seed = 2;
    CHECK(alone != draws(description, 1, 50));
    description.seed = 1;
    CHECK(alone != draws(description, 2, 50));
}

TEST(a_description_is_read_back_and_mistakes_are_named) {
    const Description read = platform::parse_description("network=fat-tree hosts=64 latency=2e-06 seed=7");
    CHECK(read.network == Description::Network::fat_tree);
    CHECK_EQ(64u, read.n_hosts);
    CHECK_EQ(2e-6, read.latency_s);
    CHECK_EQ(7u, read.seed);
    CHECK_THROWS(platform::parse_description("hosts"), "'hosts' is not key=value");
    CHECK_THROWS(platform::parse_description("hosts=0"), "hosts and hosts_per_switch must be 1 or more");
    CHECK_THROWS(platform::parse_description("hosts=x"), "hosts='x' is not a number");
    CHECK_THROWS(platform::parse_description("latency=1e-6s"), "latency='1e-6s' is not a number");
    CHECK_THROWS(platform::parse_description("network=ring"), "network='ring' is neither star nor fat-tree");
    CHECK_THROWS(platform::parse_description("colour=1"), "'colour' is unknown");
}
