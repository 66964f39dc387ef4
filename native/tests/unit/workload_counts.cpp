// The distributions of counts, the arithmetic that turns them into blocks, and the decision for large counts.
#include "base/random.hpp"
#include "check.hpp"
#include "workload/counts.hpp"
#include "workload/operation/partition.hpp"

#include <algorithm>
#include <numeric>

using namespace ictus;

namespace {

using Counts = std::vector<std::uint64_t>;

std::vector<std::uint32_t> weights(const std::string& text, int n_blocks) {
    return counts::registry().make(bind(counts::family(), parse_spec(text)))->weights(n_blocks);
}

Counts blocks(const std::string& text, int n_blocks, std::uint64_t count) {
    const Partition partition = Partition::weighted(n_blocks, count, weights(text, n_blocks));
    Counts counts;
    for (int i = 0; i < partition.n_blocks(); ++i) {
        counts.push_back(partition.count(i));
    }
    return counts;
}

const std::string_view all[] = {"equal", "linear", "spike", "random", "random(7)"};

constexpr std::uint64_t largest = ~std::uint64_t{0};

} // namespace

TEST(shares_have_the_sum_that_was_to_be_shared) {
    SplitMix64 draw(1);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::uint32_t> weights(1 + draw.below(40));
        for (std::uint32_t& weight : weights) {
            weight = static_cast<std::uint32_t>(draw.below(1 << 16));
        }
        weights.front() = 1 << 16;
        const std::uint64_t total = draw.next() >> draw.below(64);
        const Counts shares = apportion(total, weights);
        CHECK_EQ(total, std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}));
    }
}

TEST(each_share_is_the_exact_one_rounded_and_the_largest_remainders_are_rounded_up) {
    // Of 10: 1/6, 2/6, 3/6 are 1.67, 3.33, 5: one is left over, and 0.67 is the largest remainder.
    CHECK((apportion(10, std::vector<std::uint32_t>{1, 2, 3}) == Counts{2, 3, 5}));
    // Of 2 among three alike: the first of equal remainders.
    CHECK((apportion(2, std::vector<std::uint32_t>{1, 1, 1}) == Counts{1, 1, 0}));
    CHECK((apportion(7, std::vector<std::uint32_t>{0, 65536}) == Counts{0, 7}));
    CHECK((apportion(0, std::vector<std::uint32_t>{3, 4}) == Counts{0, 0}));
}

TEST(no_product_overflows) {
    const Counts shares = apportion(largest, std::vector<std::uint32_t>{65536, 65536});
    CHECK_EQ(largest / 2 + 1, shares[0]);
    CHECK_EQ(largest / 2, shares[1]);
}

TEST(blocks_hold_the_whole_volume_at_every_number_of_ranks) {
    for (const std::string_view text : all) {
        for (int n = 1; n <= 70; ++n) {
            for (const std::uint64_t count : {0, 1, 2, 7, 1000}) {
                const Counts shares = blocks(std::string(text), n, count);
                CHECK_EQ(static_cast<std::size_t>(n), shares.size());
                CHECK_EQ(count * static_cast<std::uint64_t>(n),
                         std::accumulate(shares.begin(), shares.end(), std::uint64_t{0}));
            }
        }
    }
}

TEST(equal_blocks_are_those_of_the_regular_operation) {
    CHECK((blocks("equal", 3, 5) == Counts{5, 5, 5}));
    CHECK((blocks("equal", 1, 0) == Counts{0}));
}

TEST(linear_blocks_grow_from_first_to_last) {
    CHECK((blocks("linear", 4, 10) == Counts{4, 8, 12, 16}));
    const Counts many = blocks("linear", 1000, 100);
    CHECK(std::is_sorted(many.begin(), many.end()));
    CHECK_EQ(200u, many.back()); // 2 n / (n + 1) times the average
    CHECK_EQ(200u, blocks("linear", 100000, 100).back());
}

TEST(a_spike_is_as_large_as_all_other_blocks_together) {
    CHECK((blocks("spike", 5, 8) == Counts{5, 5, 5, 5, 20}));
    CHECK((blocks("spike", 2, 3) == Counts{3, 3}));
    CHECK((blocks("spike", 1, 3) == Counts{3}));
}

TEST(random_blocks_are_decided_by_the_seed) {
    CHECK(blocks("random(3)", 8, 1000) == blocks("random(3)", 8, 1000));
    CHECK(blocks("random(3)", 8, 1000) != blocks("random(4)", 8, 1000));
    CHECK(blocks("random", 8, 1000) == blocks("random(1)", 8, 1000));
    for (const std::uint32_t weight : weights("random(5)", 1000)) {
        CHECK(weight >= 1 && weight <= 1 << 16);
    }
}

TEST(blocks_follow_each_other) {
    const Partition partition(Counts{3, 0, 4});
    CHECK_EQ(0u, partition.first(0));
    CHECK_EQ(3u, partition.first(1));
    CHECK_EQ(3u, partition.first(2));
    CHECK_EQ(7u, partition.total());
    CHECK_EQ(4u, partition.largest_count());
    CHECK_EQ(0u, Partition().total());
}

TEST(rotated_blocks_begin_elsewhere) {
    const Partition rotated = Partition(Counts{1, 2, 3}).rotated(1);
    CHECK_EQ(3u, rotated.count(0));
    CHECK_EQ(1u, rotated.count(1));
    CHECK_EQ(2u, rotated.count(2));
    CHECK_EQ(4u, rotated.first(2));
}

TEST(a_block_of_more_elements_than_an_int_needs_large_counts_and_more_bytes_do_not) {
    const std::uint64_t limit = 2147483647;
    CHECK(!needs_large_counts(Partition::equal(1, 300'000'000), 0)); // doubles: 2.4 GB in a legal MPI_Bcast
    CHECK(!needs_large_counts(Partition::equal(1, limit), 0));
    CHECK(needs_large_counts(Partition::equal(1, limit + 1), 0));
    CHECK(!needs_large_counts(Partition::equal(2, limit), 0)); // 2^32 elements in all, but no argument says so
    CHECK(!needs_large_counts(Partition(), 8));
}

TEST(where_places_are_told_the_last_of_them_must_fit_in_its_unit) {
    const std::uint64_t limit = 2147483647;
    CHECK(!needs_large_counts(Partition(Counts{limit - 1, 1}), 1));
    CHECK(needs_large_counts(Partition(Counts{limit, 1}), 1));
    CHECK(!needs_large_counts(Partition::equal(4, 1 << 27), 1)); // 2^29 elements
    CHECK(needs_large_counts(Partition::equal(4, 1 << 27), 8));  // MPI_Alltoallw of doubles: 2^32 bytes
    CHECK(!needs_large_counts(Partition::equal(4, 1 << 27), 0));
}

TEST(sums_and_products_stop_at_the_largest_number_and_never_wrap_round) {
    CHECK_EQ(largest, Partition::equal(3, largest / 2).total());
    CHECK_EQ(largest, Partition::equal(1, largest / 2).total_bytes(8));
    CHECK_EQ(largest, Partition::weighted(4, largest / 2, std::vector<std::uint32_t>{1, 1, 1, 1}).total());
    CHECK(needs_large_counts(Partition::equal(1, std::uint64_t{1} << 61), 8));
}
