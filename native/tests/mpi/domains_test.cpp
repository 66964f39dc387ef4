// Clock domains of real ranks: claims by --clock-domain, verified by measuring.
#include "check.hpp"
#include "clock/tsc.hpp"
#include "clocksync/clocksync.hpp"
#include "clocksync/domains.hpp"
#include "mpi/hosts.hpp"
#include "mpi/mpi_transport.hpp"
#include "transport/control.hpp"
#include "transport/global_clock.hpp"

#include <sstream>

using namespace ictus;
using clocksync::all_leaders;
using clocksync::Domains;
using clocksync::find_domains;
using mpi::DomainClaim;

namespace {

/// Ranks with one clock a host, as a launch has them, and the domains that are claimed of it.
class ClaimedWorld {
public:
    ClaimedWorld(const std::string& clock, DomainClaim claim)
        : topology_(mpi::read_topology(MPI_COMM_WORLD)),
          clock_(mpi::make_host_clock(bind(clock::family(), parse_spec(clock)), topology_, world_rank())),
          transport_(MPI_COMM_WORLD, *clock_, mpi::claim_domains(topology_, MPI_COMM_WORLD, claim, *clock_)) {}

    [[nodiscard]] Transport& transport() { return transport_; }
    [[nodiscard]] int size() const { return transport_.size(); }
    /// The number of hosts: where every claim holds, of domains.
    [[nodiscard]] std::size_t hosts() const {
        std::size_t count = 0;
        for (int rank = 0; rank < size(); ++rank) {
            count += transport_.locations()[static_cast<std::size_t>(rank)].host == rank ? 1 : 0;
        }
        return count;
    }

private:
    static int world_rank() {
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        return rank;
    }

    mpi::HostTopology topology_;
    std::unique_ptr<Clock> clock_;
    mpi::MpiTransport transport_;
};

void check_agreement(Transport& transport, const Domains& domains) {
    for (const int leader : clocksync::leader_of_each(transport, domains)) {
        CHECK_EQ(leader, control::broadcast_value(transport, leader));
    }
    CHECK_EQ(domains.splits.size(), control::broadcast_value(transport, domains.splits.size()));
}

constexpr const char* by_rank = "skewed(base=monotonic,offset=1s,drift=0,scope=rank)";
constexpr const char* by_host = "skewed(base=monotonic,offset=1s,drift=20ppm,scope=host)";

} // namespace

TEST(clocks_that_are_one_for_a_host_are_found_to_be_one) {
    for (const char* clock : {"monotonic", by_host}) {
        ClaimedWorld world(clock, DomainClaim::automatic);
        const Domains domains = find_domains(world.transport(), {.apart_s = 0.02});
        check_agreement(world.transport(), domains);
        CHECK_EQ(world.hosts(), all_leaders(world.transport(), domains).size());
        CHECK(domains.splits.empty());
    }
}

TEST(ranks_of_one_host_whose_clocks_are_100_ms_apart_are_not_merged) {
    ClaimedWorld world("monotonic", DomainClaim::host);
    const int counter = world.transport().rank() % 3; // three counters, 0.1 s apart
    ModelledTransport own(world.transport(), {0.0, ClockOffset(-0.1 * counter)});
    const Domains domains = find_domains(own);
    check_agreement(world.transport(), domains);
    if (world.hosts() == 1) {
        const std::vector<int> leader_of = clocksync::leader_of_each(world.transport(), domains);
        for (int rank = 0; rank < world.size(); ++rank) {
            CHECK_EQ(rank % 3, leader_of[static_cast<std::size_t>(rank)]);
        }
    }
    for (const clocksync::Split& split : domains.splits) {
        CHECK_NEAR(0.1 * (split.rank % 3), split.offset.s, split.bound + 1e-9);
    }
}

TEST(a_false_claim_is_split_and_a_careful_one_not_even_measured) {
    ClaimedWorld forced(by_rank, DomainClaim::host);
    const Domains split = find_domains(forced.transport());
    check_agreement(forced.transport(), split);
    CHECK_EQ(static_cast<std::size_t>(forced.size()), all_leaders(forced.transport(), split).size());

    for (const DomainClaim claim : {DomainClaim::automatic, DomainClaim::rank}) {
        ClaimedWorld world(by_rank, claim);
        const Domains domains = find_domains(world.transport());
        CHECK_EQ(static_cast<std::size_t>(world.size()), all_leaders(world.transport(), domains).size());
        CHECK(domains.splits.empty());
        CHECK_EQ(std::uint64_t{0}, world.transport().messages_sent());
    }
}

TEST(a_host_of_one_clock_runs_by_its_leaders_model) {
    ClaimedWorld world("monotonic", DomainClaim::automatic);
    const auto algorithm =
        clocksync::registry().make(bind(clocksync::family(), parse_spec("hierarchical(hca3,propagate)")));
    const Synchronised own = algorithm->synchronise(world.transport());
    if (world.hosts() == 1) {
        CHECK(own.model == ClockModel{});
        CHECK(own.bound.half_width <= 1e-6); // one step of the clock
    }
}

TEST(levels_of_learning_find_skewed_clocks) {
    ClaimedWorld world(by_rank, DomainClaim::automatic);
    const auto algorithm = clocksync::registry().make(
        bind(clocksync::family(), parse_spec("hierarchical(hca3-offset,hca3-offset(exchanges=50),hca3-offset)")));
    const Synchronised own = algorithm->synchronise(world.transport());
    ModelledTransport global(world.transport(), own.model);
    const auto again = clocksync::registry().make(bind(clocksync::family(), parse_spec("hca3-offset")));
    CHECK(std::abs(again->synchronise(global).model.intercept.s) <= 1e-2); // whatever the load: they are seconds apart
}

TEST(propagating_a_model_to_a_clock_of_another_counter_is_refused) {
    ClaimedWorld world(by_rank, DomainClaim::host);
    const auto algorithm = clocksync::registry().make(bind(clocksync::family(), parse_spec("propagate(apart=0)")));
    if (world.size() > 1 && world.hosts() == 1) {
        CHECK_THROWS(algorithm->synchronise(world.transport()), "not read the clock of rank 0");
    }
}

TEST(a_counter_is_one_for_a_host_only_where_the_kernel_calls_it_constant_and_nonstop) {
    const auto tells = [](const std::string& text) {
        std::istringstream cpuinfo(text);
        return tells_invariant_counter(cpuinfo);
    };
    CHECK(tells("processor\t: 0\nflags\t\t: fpu constant_tsc rep_good nonstop_tsc cpuid\n"));
    CHECK(!tells("processor\t: 0\nflags\t\t: fpu constant_tsc rep_good cpuid\n"));
    CHECK(!tells("processor\t: 0\nflags\t\t: fpu tsc\nvmx flags\t: constant_tsc nonstop_tsc\n"));
    CHECK(!tells(""));
}

TEST(claims_are_read_as_they_are_spelled) {
    CHECK(mpi::parse_domain_claim("auto") == DomainClaim::automatic);
    CHECK(mpi::parse_domain_claim("host") == DomainClaim::host);
    CHECK(mpi::parse_domain_claim("rank") == DomainClaim::rank);
    CHECK_THROWS(mpi::parse_domain_claim("node"), "'node' is not one of auto host rank");
}
