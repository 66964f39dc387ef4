// Blocks of one size are computed, others stored: both against counts that are added up one after the other.
#include "check.hpp"
#include "workload/operation/partition.hpp"

#include <vector>

using ictus::Partition;

namespace {

const std::vector<std::uint64_t> varied = {3, 0, 7, 1, 1, 12, 5};

void check_blocks(const Partition& blocks, const std::vector<std::uint64_t>& counts) {
    CHECK_EQ(static_cast<int>(counts.size()), blocks.n_blocks());
    std::uint64_t first = 0;
    std::uint64_t largest = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        CHECK_EQ(counts[i], blocks.count(static_cast<int>(i)));
        CHECK_EQ(first, blocks.first(static_cast<int>(i)));
        first += counts[i];
        largest = counts[i] > largest ? counts[i] : largest;
    }
    CHECK_EQ(first, blocks.total());
    CHECK_EQ(largest, blocks.largest_count());
}

} // namespace

TEST(computed_and_stored_blocks_begin_where_the_earlier_ones_end) {
    check_blocks(Partition(), {});
    check_blocks(Partition::equal(0, 5), {});
    check_blocks(Partition::equal(1, 5), {5});
    check_blocks(Partition::equal(4, 0), {0, 0, 0, 0});
    check_blocks(Partition::equal(6, 9), {9, 9, 9, 9, 9, 9});
    check_blocks(Partition(varied), varied);
}

TEST(rotated_blocks_begin_where_they_would_if_they_were_made) {
    for (const Partition& blocks : {Partition(varied), Partition::equal(7, 4)}) {
        for (int by = 0; by < blocks.n_blocks(); ++by) {
            const Partition made = blocks.rotated(by);
            for (int block = 0; block <= blocks.n_blocks(); ++block) {
                CHECK_EQ(made.first(block), blocks.first_rotated(by, block));
            }
        }
    }
}

TEST(blocks_that_no_buffer_reaches_saturate) {
    const std::uint64_t most = ~std::uint64_t{0};
    CHECK_EQ(most, Partition::equal(3, most / 2).total());
    CHECK_EQ(most, Partition({most / 2, most / 2, most / 2}).total());
    CHECK_EQ(most, Partition::equal(2, 1).total_bytes(most));
}
