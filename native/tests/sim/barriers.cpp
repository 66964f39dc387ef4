// Every barrier of the family in simulated worlds: it holds all ranks back for a late one, it sends as many messages as
// it says, and its tokens are never taken for those of the next barrier.
#include "barrier/barrier.hpp"
#include "check.hpp"
#include "transport/simulated_world.hpp"

#include <algorithm>
#include <bit>
#include <vector>

using namespace ictus;

namespace {

constexpr int sizes[] = {1, 2, 3, 5, 6, 7, 8};
constexpr double delay = 0.01;

SimulatedSettings barrier_world(int size) {
    SimulatedSettings settings;
    settings.size = size;
    settings.seed = 11;
    settings.link.jitter_s = 0.2e-6;
    return settings;
}

std::unique_ptr<Barrier> make(const std::string& text) {
    return barrier::registry().make(bind(barrier::family(), parse_spec(text)));
}

/// Every member, with more than one radix.
std::vector<std::string> all_barriers() {
    std::vector<std::string> texts{"k-dissemination(k=2)", "k-dissemination(k=3)", "k-dissemination(k=64)"};
    for (const MemberInfo* member : barrier::family().members) {
        texts.emplace_back(member->name);
    }
    return texts;
}

/// Whether no rank leaves before `late` has entered, which it does `delay` seconds after the others. A barrier that
/// leaves messages behind or waits for too many ends in an Error of the world.
template <class MakeBarrier>
bool holds_back(MakeBarrier make_barrier, int size, int late) {
    SimulatedWorld world(barrier_world(size));
    world.run([&](Transport& transport) {
        if (transport.rank() == late) {
            transport.wait_until(transport.now() + delay);
        }
        make_barrier()->wait(transport);
    });
    for (int rank = 0; rank < size; ++rank) {
        if (world.true_time(rank) < delay) {
            return false;
        }
    }
    return true;
}

/// Dissemination without its last round: whoever is half the ranks away is not heard of.
class ForgetfulBarrier final : public OwnBarrier<ForgetfulBarrier> {
public:
    void wait(Transport& transport) override {
        const int size = transport.size();
        for (int distance = 1; 2 * distance < size; distance *= 2) {
            const std::byte token{1};
            std::byte heard{};
            transport.exchange((transport.rank() + distance) % size, {&token, 1},
                               (transport.rank() - distance + size) % size, {&heard, 1});
        }
    }
};

/// A linear barrier whose rank 0 does not wait for the last rank.
class ImpatientBarrier final : public OwnBarrier<ImpatientBarrier> {
public:
    void wait(Transport& transport) override {
        std::byte token{1};
        if (transport.rank() != 0) {
            transport.send(0, {&token, 1});
            transport.receive(0, {&token, 1});
            return;
        }
        for (int rank = 1; rank < transport.size() - 1; ++rank) {
            transport.receive(rank, {&token, 1});
        }
        for (int rank = 1; rank < transport.size(); ++rank) {
            transport.send(rank, {&token, 1});
        }
    }
};

/// Messages of one barrier at `size` ranks, from the algorithm's description.
std::uint64_t expected_messages(const std::string& name, int size) {
    const auto p = static_cast<std::uint64_t>(size);
    const auto power = std::bit_floor(p);
    const auto log_below = static_cast<std::uint64_t>(std::bit_width(p) - 1);
    const auto log_above = static_cast<std::uint64_t>(std::bit_width(p - 1));
    if (name == "linear" || name == "binary-tree" || name == "binomial") {
        return 2 * (p - 1);
    }
    if (name == "double-ring") {
        return p == 1 ? 0 : 2 * p;
    }
    if (name == "recursive-doubling") {
        return power * log_below + 2 * (p - power);
    }
    if (name == "dissemination" || name == "k-dissemination(k=2)") {
        return p * log_above;
    }
    // k-dissemination: counted by hand, messages of one rank at 1, 2, 3, 5, 6, 7, 8 ranks.
    const auto at = static_cast<std::size_t>(std::find(std::begin(sizes), std::end(sizes), size) - std::begin(sizes));
    constexpr std::uint64_t radix_3[] = {0, 1, 2, 3, 3, 4, 4}; // distances 1, 2 and 3, 6
    constexpr std::uint64_t radix_4[] = {0, 1, 2, 4, 4, 4, 4}; // distances 1, 2, 3 and 4
    constexpr std::uint64_t radix_64[] = {0, 1, 2, 4, 5, 6, 7};
    if (name == "k-dissemination(k=3)") {
        return p * radix_3[at];
    }
    return p * (name == "k-dissemination(k=64)" ? radix_64[at] : radix_4[at]);
}

} // namespace

TEST(a_late_rank_holds_back_all_others_in_every_barrier) {
    for (const std::string& name : all_barriers()) {
        for (const int size : sizes) {
            for (int late = 0; late < size; ++late) {
                CHECK(holds_back([&] { return make(name); }, size, late));
            }
        }
    }
}

TEST(a_barrier_that_drops_a_round_is_found_out) {
    for (const int size : sizes) {
        int caught_forgetful = 0;
        int caught_impatient = 0;
        for (int late = 0; late < size; ++late) {
            caught_forgetful += holds_back([] { return std::make_unique<ForgetfulBarrier>(); }, size, late) ? 0 : 1;
            caught_impatient += holds_back([] { return std::make_unique<ImpatientBarrier>(); }, size, late) ? 0 : 1;
        }
        CHECK_EQ(size == 1 ? 0 : size, caught_forgetful); // nobody's lateness reaches all
        CHECK_EQ(size == 1 ? 0 : 1, caught_impatient);    // only the last rank's does not
    }
}

TEST(every_barrier_of_ours_sends_as_many_messages_as_it_says) {
    for (const std::string& name : all_barriers()) {
        if (name == "library" || name == "double-library") {
            continue; // the library's own affair
        }
        for (const int size : sizes) {
            SimulatedWorld world(barrier_world(size));
            std::uint64_t sent = 0;
            world.run([&](Transport& transport) {
                make(name)->wait(transport);
                sent += transport.messages_sent();
            });
            CHECK_EQ(name + " " + std::to_string(expected_messages(name, size)), name + " " + std::to_string(sent));
        }
    }
}

TEST(barriers_in_a_row_do_not_take_each_others_tokens) {
    // One barrier of every kind after the other, twice, each with another late rank: were a token left over, a later
    // barrier would let a rank go too early.
    constexpr int size = 7;
    SimulatedWorld world(barrier_world(size));
    const std::vector<std::string> names = all_barriers();
    std::vector<double> entered(2 * names.size());
    std::vector<double> left(2 * names.size(), 1e9);
    world.run([&](Transport& transport) {
        for (std::size_t i = 0; i < entered.size(); ++i) {
            const auto barrier = make(names[i % names.size()]);
            if (transport.rank() == static_cast<int>(i) % size) {
                transport.wait_until(transport.now() + 1e-4);
                entered[i] = world.true_time(transport.rank());
            }
            barrier->wait(transport);
            left[i] = std::min(left[i], world.true_time(transport.rank()));
        }
    });
    for (std::size_t i = 0; i < entered.size(); ++i) {
        CHECK(left[i] >= entered[i]);
    }
}

TEST(an_unknown_barrier_lists_the_known_ones) {
    CHECK_THROWS(make("linaer"), "library, double-library, linear, binary-tree, binomial, double-ring, "
                                 "recursive-doubling, dissemination, k-dissemination");
    CHECK_THROWS(make("k-dissemination(k=1)"), "'k'");
}
