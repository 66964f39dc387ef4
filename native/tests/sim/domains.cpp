// Clock domains: claims that hold are kept, those that do not are split, and all ranks agree on the outcome.
#include "clocksync/domains.hpp"
#include "check.hpp"
#include "counters.hpp"
#include "transport/sub_transport.hpp"

using namespace simulation;
using ictus::clocksync::all_leaders;
using ictus::clocksync::DomainCheck;
using ictus::clocksync::Domains;
using ictus::clocksync::find_domains;
using ictus::clocksync::leader_of_each;

namespace {

constexpr int sizes[] = {1, 2, 3, 5, 8, 16};

/// What a rank found, and what it then knows of all.
struct Found : Domains {
    std::vector<int> leader_of;
    std::vector<int> leaders;
};

/// What every rank found; `counter_of` tells which of several counters, 0.1 s apart, a rank reads.
template <class CounterOf>
std::vector<Found> find(const ictus::SimulatedSettings& settings, CounterOf counter_of, const DomainCheck& check = {}) {
    ictus::SimulatedWorld world(settings);
    std::vector<Found> found(static_cast<std::size_t>(settings.size));
    world.run([&](ictus::Transport& transport) {
        auto own = counter(transport, 0.1 * counter_of(transport.rank()));
        const Domains domains = find_domains(own, check);
        found[static_cast<std::size_t>(transport.rank())] = {domains, leader_of_each(own, domains),
                                                             all_leaders(own, domains)};
    });
    return found;
}

std::vector<int> members_of(const std::vector<int>& leader_of, int leader) {
    std::vector<int> members;
    for (std::size_t rank = 0; rank < leader_of.size(); ++rank) {
        if (leader_of[rank] == leader) {
            members.push_back(static_cast<int>(rank));
        }
    }
    return members;
}

void check_agreement(const std::vector<Found>& found) {
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
        const Found& one = found[rank];
        CHECK(one.leader_of == found[0].leader_of);
        CHECK(one.leaders == found[0].leaders);
        CHECK_EQ(one.splits.size(), found[0].splits.size());
        CHECK_EQ(one.leader_of[rank], one.leader());
        CHECK(one.members == members_of(one.leader_of, one.leader()));
    }
}

int one_counter(int) { return 0; }

} // namespace

TEST(ranks_that_read_one_counter_stay_together) {
    for (const int size : sizes) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            const auto found = find(one_host(size, seed), one_counter);
            check_agreement(found);
            CHECK((std::vector<int>{0}) == found[0].leaders);
            CHECK(std::vector<int>(static_cast<std::size_t>(size), 0) == found[0].leader_of);
            CHECK(found[0].splits.empty());
        }
    }
}

TEST(two_ranks_of_one_host_whose_clocks_are_100_ms_apart_are_not_merged) {
    const auto found = find(one_host(2), [](int rank) { return rank; });
    check_agreement(found);
    CHECK((std::vector<int>{0, 1}) == found[0].leaders);
    CHECK_EQ(std::size_t{1}, found[0].splits.size());
    CHECK_EQ(1, found[0].splits[0].rank);
    CHECK_EQ(0, found[0].splits[0].leader);
    CHECK_NEAR(0.1, found[0].splits[0].offset.s, found[0].splits[0].bound);
    CHECK(found[0].splits[0].bound < 1e-6); // half a round trip of 2 x 0.4 us, and the readings
}

TEST(three_counters_among_eight_ranks_become_three_domains) {
    const auto found = find(one_host(8), [](int rank) { return rank % 3; });
    check_agreement(found);
    CHECK((std::vector<int>{0, 1, 2}) == found[0].leaders);
    CHECK((std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1}) == found[0].leader_of);
    CHECK((std::vector<int>{1, 4, 7}) == found[4].members);
    CHECK_EQ(std::size_t{5}, found[0].splits.size()); // all but 0, 3 and 6
}

TEST(every_rank_with_a_counter_of_its_own_is_left_alone) {
    for (const int size : sizes) {
        const auto found = find(one_host(size), [](int rank) { return rank; });
        check_agreement(found);
        CHECK_EQ(static_cast<std::size_t>(size), found[0].leaders.size());
        CHECK_EQ(static_cast<std::size_t>(size) - 1, found[0].splits.size());
    }
}

TEST(hosts_are_verified_each_for_itself_and_at_the_same_time) {
    auto settings = one_host(16);
    settings.ranks_per_host = 4;
    settings.offset_s = 2.0; // between hosts
    const auto found = find(settings, one_counter);
    check_agreement(found);
    CHECK((std::vector<int>{0, 4, 8, 12}) == found[0].leaders);
    CHECK((std::vector<int>{4, 5, 6, 7}) == found[6].members);

    // 3 members x 20 exchanges x 2 messages x 0.5 us and two readings of 20 ns: some 65 us; then 2 x 4 messages of 1
    // us.
    ictus::SimulatedWorld world(settings);
    world.run([](ictus::Transport& transport) { (void)find_domains(transport); });
    CHECK(world.true_time(15) < 150e-6);
}

TEST(where_nothing_is_claimed_no_message_is_sent) {
    auto settings = one_host(5);
    settings.one_clock_a_host = false;
    ictus::SimulatedWorld world(settings);
    world.run([](ictus::Transport& transport) {
        const Domains domains = find_domains(transport);
        CHECK_EQ(std::size_t{5}, all_leaders(transport, domains).size());
        CHECK_EQ(std::uint64_t{0}, transport.messages_sent());
    });
}

TEST(counters_that_meet_at_zero_and_drift_apart_pass_once_but_not_twice) {
    // 100 ppm: at the first check they are 10 ns apart, 20 ms later 2 us, which is more than half a round trip (0.5
    // us).
    const auto zero_offset = [](double apart) {
        ictus::SimulatedWorld world(one_host(2));
        std::size_t n_leaders = 0;
        world.run([&](ictus::Transport& transport) {
            auto own = counter(transport, 0.0, transport.rank() == 1 ? 100e-6 : 0.0);
            n_leaders = all_leaders(own, find_domains(own, {.apart_s = apart})).size();
        });
        return n_leaders;
    };
    CHECK_EQ(std::size_t{1}, zero_offset(0.0));
    CHECK_EQ(std::size_t{2}, zero_offset(0.02));
}

TEST(a_second_check_of_equal_counters_changes_nothing) {
    for (const int size : sizes) {
        const auto found = find(one_host(size), one_counter, {.apart_s = 0.01});
        check_agreement(found);
        CHECK((std::vector<int>{0}) == found[0].leaders);
    }
}

TEST(a_member_that_fails_the_second_check_leads_those_that_failed_with_it) {
    const auto found = find(one_host(6), [](int rank) { return rank % 2; }, {.apart_s = 0.01});
    check_agreement(found);
    CHECK((std::vector<int>{0, 1, 0, 1, 0, 1}) == found[0].leader_of);
}

TEST(a_rank_suspended_for_50_ms_is_not_split_off) {
    for (const int rank : {0, 1, 2}) {
        auto settings = one_host(3);
        settings.stalls = {{rank, 20e-6, 0.05}};
        CHECK(find(settings, one_counter)[0].splits.empty());
    }
}

TEST(splits_are_told_by_the_ranks_that_the_user_knows) {
    ictus::SimulatedWorld world(one_host(5));
    world.run([](ictus::Transport& transport) {
        if (transport.rank() < 2) {
            return;
        }
        ictus::SubTransport last(transport, {2, 3, 4});
        auto own = counter(last, last.rank() == 0 ? 0.0 : 0.1);
        const Domains domains = find_domains(own);
        CHECK((std::vector<int>{0, 1, 1}) == leader_of_each(own, domains));
        const auto sentences = describe_splits(own, domains);
        CHECK_EQ(std::size_t{1}, sentences.size());
        CHECK_EQ(std::string("ranks 3 and 4 do not read the clock of rank 2 (100 ms apart)"), sentences[0]);
    });
}

TEST(an_outcome_that_is_verified_again_splits_off_those_that_have_gone_another_way) {
    // Ranks 1 and 4 read a counter of their own from the beginning; by the second check 2 and 4 read a third one.
    ictus::SimulatedWorld world(one_host(6));
    world.run([](ictus::Transport& transport) {
        const int rank = transport.rank();
        auto before = counter(transport, rank % 3 == 1 ? 0.1 : 0.0);
        const Domains first = find_domains(before);
        CHECK((std::vector<int>{0, 1, 0, 0, 1, 0}) == leader_of_each(before, first));
        auto after = counter(transport, rank == 2 || rank == 4 ? 0.2 : rank == 1 ? 0.1 : 0.0);
        const Domains second = verify_domains(after, first, {});
        CHECK((std::vector<int>{0, 1, 2, 0, 4, 0}) == leader_of_each(after, second)); // each checked in its own domain
        CHECK(second.members == members_of(leader_of_each(after, second), second.leader()));
        CHECK_EQ(std::size_t{2}, second.splits.size());
        CHECK(second.splits[0].rank == 2 && second.splits[0].leader == 0);
        CHECK(second.splits[1].rank == 4 && second.splits[1].leader == 1);
        CHECK(verify_domains(after, second, {}).splits.empty());
    });
}

TEST(verdicts_of_domains_that_hold_take_no_memory_of_every_rank) {
    // Hundreds of hosts of 4, or 2,000: each rank keeps its own four, and the verdicts that travel are those against a
    // claim: none.
    auto settings = one_host(check::in_few_worlds() ? 2000 : 8000);
    settings.ranks_per_host = 4;
    for (const Found& one : find(settings, one_counter, {.exchanges = 2})) {
        CHECK_EQ(std::size_t{4}, one.members.size());
        CHECK(one.moved.empty() && one.splits.empty());
    }
}
